// One crawl on the threads of a crew, as one thing to watch, hold and stop.

import type { Worker } from 'node:worker_threads'
import { mergeWaits } from '../../engine/crawl/hosts/host-waits.ts'
import type { LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import { reportStalled } from '../../engine/crawl/visit/visit-reports.ts'
import type { HostStat } from '../../engine/crawl/watch/host-stats.ts'
import { addLoopCounts, NO_LOOP_COUNTS } from '../../engine/crawl/watch/loop-counters.ts'
import { mergePhases } from '../../engine/crawl/watch/phase-recorder.ts'
import { divideRate } from '../../engine/politeness/throttle.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import { logAt, type OpenLog } from '../../lib/log.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import type { Holds } from '../watch/holds.ts'
import type { CommitTimes } from '../watch/store-watch.ts'
import type { CrawlTask, CrawlThreadReply, CrawlThreadRequest, LoopStats } from './crawl-thread.ts'
import { readStepCell, StepCell } from './step-cell.ts'
import type { LogLine } from './thread-log.ts'

export interface RunningCrawlStats extends Omit<LoopStats, 'oldestCommitMs'> {
  held: HoldReason | null
}

export interface RunningCrawlDependencies {
  holds: Holds
  rateCell: SharedArrayBuffer
  log: OpenLog | null
  frontier: RecoveryFrontier
  onOver: () => void
}

export type RecoveryFrontier = Pick<Frontier, 'commit' | 'renew' | 'requeueWorker'>

/** What one thread does of the crawl. */
interface ThreadRun {
  readonly end: PromiseWithResolvers<LoopEnd>
  isOver: boolean
  readonly assignment: ThreadAssignment
}

type ThreadTask = Omit<CrawlTask, 'isHeld' | 'levelCell' | 'stepCell'>

export interface ThreadAssignment {
  /** By which the store knows it. */
  workerId: string
  /** With ports of its own: each is used once. */
  makeTask: () => ThreadTask
  stepCell: SharedArrayBuffer
}

export class RunningCrawl {
  readonly #crawl: Crawl
  readonly #frontier: RecoveryFrontier
  readonly #holds: Holds
  readonly #rateCell: SharedArrayBuffer
  readonly #log: OpenLog | null
  readonly #onOver: () => void
  readonly #threadRuns: Map<Worker, ThreadRun>
  readonly #stats = new Map<Worker, LoopStats>()
  readonly #stopWatching: () => void
  #isCrawlOver = false
  #isStopped = false
  #isOver = false

  constructor(
    crawl: Crawl,
    parts: Map<Worker, ThreadAssignment>,
    { holds, rateCell, log, frontier, onOver }: RunningCrawlDependencies,
  ) {
    this.#crawl = crawl
    this.#frontier = frontier
    this.#holds = holds
    this.#rateCell = rateCell
    this.#log = log
    this.#onOver = onOver
    this.#threadRuns = new Map()
    for (const [thread, assignment] of parts) {
      const part = { end: Promise.withResolvers<LoopEnd>(), isOver: false, assignment }
      // run() handles the rejection; this avoids an unhandled one before that.
      part.end.promise.catch(() => undefined)
      this.#threadRuns.set(thread, part)
      this.#beginOnThread(thread, part)
    }
    this.#stopWatching = holds.watch((held) => this.#setHeld(held !== null))
  }

  #beginOnThread(thread: Worker, { assignment: { makeTask, stepCell } }: ThreadRun): void {
    const task = makeTask()
    const isHeld = this.#holds.held !== null && !this.#isCrawlOver
    const request: CrawlThreadRequest = {
      begin: { ...task, stepCell, isHeld, levelCell: this.#log?.levelCell ?? null },
    }
    const ports = [task.store, task.documents.port]
    thread.postMessage(request, task.archive === null ? ports : [...ports, task.archive])
  }

  /** Called by Crew, like the next four methods. */
  handleReply(thread: Worker, reply: CrawlThreadReply): void {
    const part = this.#threadRuns.get(thread)
    if (part === undefined) return
    if ('stats' in reply) this.#stats.set(thread, reply.stats)
    else if ('lines' in reply) this.#write(thread, reply.lines)
    else if ('end' in reply) {
      part.isOver = true
      part.end.resolve(reply.end)
      if (reply.end !== 'stopped') this.#endCrawl()
    } else {
      part.isOver = true
      part.end.reject(new AppError(reply.failed.code, reply.failed.message))
    }
  }

  /** The thread has died. */
  handleExit(thread: Worker, error: AppError): void {
    this.#threadRuns.get(thread)?.end.reject(error)
  }

  /**
   * The thread may be stalled. What it reads must still be leased when that is sure, or the attempt would not count.
   */
  renewCurrentLease(thread: Worker): void {
    const part = this.#threadRuns.get(thread)
    const step = part === undefined ? null : readStepCell(part.assignment.stepCell)
    // Whether it was kept shows when the attempt is reported.
    if (step !== null) this.#frontier.renew([step.token]).catch(() => undefined)
  }

  /** A stalled thread has been ended; another goes on with its part. */
  async replaceThread(thread: Worker, next: Worker): Promise<void> {
    const part = this.#threadRuns.get(thread)
    if (part === undefined || part.isOver) return
    try {
      await this.#reportStall(part)
      await this.#frontier.requeueWorker(this.#crawl.id, part.assignment.workerId)
    } catch (error) {
      part.end.reject(asAppError(error))
      return
    }
    const stats = this.#stats.get(thread)
    if (stats !== undefined) this.#stats.set(thread, { ...stats, inFlight: 0, hosts: [], waits: [], oldestCommitMs: 0 })
    this.#threadRuns.delete(thread)
    this.#threadRuns.set(next, part)
    this.#beginOnThread(next, part)
    if (this.#isStopped) next.postMessage({ stop: this.#crawl.id } satisfies CrawlThreadRequest)
  }

  /** A thread that did not stop by itself has been ended. */
  async abandonThread(thread: Worker): Promise<void> {
    const part = this.#threadRuns.get(thread)
    if (part === undefined || part.isOver) return
    part.isOver = true
    await this.#frontier.requeueWorker(this.#crawl.id, part.assignment.workerId).then(
      () => part.end.resolve('stopped'),
      (error: unknown) => part.end.reject(asAppError(error)),
    )
  }

  /** The url that was being read is at fault, and no other. */
  async #reportStall({ assignment: { workerId, stepCell } }: ThreadRun): Promise<void> {
    const step = readStepCell(stepCell)
    if (step === null) return
    const { id: crawlId, settings } = this.#crawl
    const report = reportStalled(step, settings.retryDelayMs, systemClock.now())
    if (this.#log !== null) {
      const fields = { crawl: crawlId, url: step.url, outcome: report.outcome.state }
      logAt(this.#log, 'warn', 'page stalled a crawl thread', fields)
    }
    const lists = { found: [], hosts: [], samples: [], patterns: [], release: [] }
    const nothing = { ...lists, linkKeys: new Uint8Array(0), rejected: {}, bytes: 0 }
    await this.#frontier.commit({ crawlId, workerId, visits: [report], ...nothing })
    new StepCell(stepCell).end()
  }

  /** Resolves when every thread has ended; the first failure, or trouble from outside, stops the others. */
  async run(trouble: Promise<never>): Promise<LoopEnd> {
    const all = [...this.#threadRuns.values()].map(({ end }) => end.promise)
    try {
      const ends = await Promise.race([Promise.all(all), trouble])
      return ends.find((end) => end !== 'stopped') ?? 'stopped'
    } catch (error) {
      this.stop()
      await Promise.allSettled(all)
      throw error
    } finally {
      this.#isOver = true
      this.#stopWatching()
      this.#onOver()
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#broadcast({ stop: this.#crawl.id })
  }

  /** So many processes work on the crawl: each keeps its part of the requests a second. */
  setProcessCount(processes: number): void {
    divideRate(this.#rateCell, processes)
  }

  /** The latest figures; asks for newer ones on the way. */
  stats(): RunningCrawlStats {
    this.#broadcast({ stats: this.#crawl.id })
    const all = [...this.#stats.values()]
    const sum = (of: (stats: LoopStats) => number) => all.reduce((total, stats) => total + of(stats), 0)
    return {
      inFlight: sum((s) => s.inFlight),
      requests: sum((s) => s.requests),
      failures: sum((s) => s.failures),
      bytes: sum((s) => s.bytes),
      hosts: mergeHosts(all.flatMap((s) => s.hosts)),
      waits: mergeWaits(all.map((s) => s.waits)),
      phases: mergePhases(all.map((s) => s.phases)),
      loopCounts: all.map((s) => s.loopCounts).reduce(addLoopCounts, NO_LOOP_COUNTS),
      held: this.#holds.held,
    }
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whether the thread still works on the crawl. */
  isOn(thread: Worker): boolean {
    return this.#threadRuns.get(thread)?.isOver === false
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Asks for newer figures on the way. */
  commitTimes(): CommitTimes {
    const { counts, sumMs } = this.stats().loopCounts.commit
    const oldestMs = Math.max(0, ...[...this.#stats.values()].map((stats) => stats.oldestCommitMs))
    return { count: counts.reduce((sum, n) => sum + n, 0), sumMs, oldestMs }
  }

  #write(thread: Worker, lines: LogLine[]): void {
    if (this.#log !== null) for (const { level, event, fields } of lines) logAt(this.#log, level, event, fields)
    thread.postMessage({ heard: this.#crawl.id } satisfies CrawlThreadRequest)
  }

  /** Threads that are held have to ask for work to see that there is none, and will never be. */
  #endCrawl(): void {
    this.#isCrawlOver = true
    this.#broadcast({ held: false, crawlId: this.#crawl.id })
  }

  #setHeld(held: boolean): void {
    if (!this.#isCrawlOver) this.#broadcast({ held, crawlId: this.#crawl.id })
  }

  #broadcast(request: CrawlThreadRequest): void {
    for (const thread of this.#threadRuns.keys()) thread.postMessage(request)
  }
}

/** Threads can share a host: requests add up, response times are weighed by them. */
function mergeHosts(stats: HostStat[]): HostStat[] {
  const merged = new Map<string, HostStat>()
  for (const stat of stats) {
    const known = merged.get(stat.host)
    if (known === undefined) {
      merged.set(stat.host, { ...stat })
      continue
    }
    const requests = known.requests + stat.requests
    known.responseMs = (known.responseMs * known.requests + stat.responseMs * stat.requests) / requests
    known.requests = requests
  }
  return [...merged.values()]
}
