// One crawl and the threads of this process that run it. Holds, stops and replaces its threads, and adds up their
// stats.

import type { Worker } from 'node:worker_threads'
import { mergeWaits } from '../../engine/crawl/hosts/host-waits.ts'
import type { LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import type { HostStat } from '../../engine/crawl/stats/host-stats.ts'
import { addLoopCounts, NO_LOOP_COUNTS } from '../../engine/crawl/stats/loop-counters.ts'
import { mergePhases } from '../../engine/crawl/stats/phase-recorder.ts'
import { reportStalled } from '../../engine/crawl/visit/visit-reports.ts'
import { divideRate } from '../../engine/politeness/throttle.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import { logAt, type OpenLog } from '../../lib/log.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import type { Holds } from '../holds/holds.ts'
import type { CommitTimes } from '../holds/store-latency-hold.ts'
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

export type RecoveryFrontier = Pick<Frontier, 'commit' | 'renew' | 'requeueThread'>

/** The crawl on one thread. */
interface ThreadRun {
  readonly end: PromiseWithResolvers<LoopEnd>
  isOver: boolean
  readonly assignment: ThreadAssignment
}

type ThreadTask = Omit<CrawlTask, 'isOnHold' | 'levelCell' | 'stepCell'>

export interface ThreadAssignment {
  /** Id of the thread in the store. */
  threadId: string
  /** Each task has its own ports, which can be used only once. */
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
  readonly #unsubscribe: () => void
  #isCrawlOver = false
  #isStopped = false
  #isOver = false

  constructor(
    crawl: Crawl,
    assignments: Map<Worker, ThreadAssignment>,
    { holds, rateCell, log, frontier, onOver }: RunningCrawlDependencies,
  ) {
    this.#crawl = crawl
    this.#frontier = frontier
    this.#holds = holds
    this.#rateCell = rateCell
    this.#log = log
    this.#onOver = onOver
    this.#threadRuns = new Map()
    for (const [thread, assignment] of assignments) {
      const threadRun = { end: Promise.withResolvers<LoopEnd>(), isOver: false, assignment }
      // run() handles the rejection; this avoids an unhandled one before that.
      threadRun.end.promise.catch(() => undefined)
      this.#threadRuns.set(thread, threadRun)
      this.#beginOnThread(thread, threadRun)
    }
    this.#unsubscribe = holds.subscribe((reason) => this.#setOnHold(reason !== null))
  }

  #beginOnThread(thread: Worker, { assignment: { makeTask, stepCell } }: ThreadRun): void {
    const task = makeTask()
    const isOnHold = this.#holds.reason !== null && !this.#isCrawlOver
    const request: CrawlThreadRequest = {
      begin: { ...task, stepCell, isOnHold, levelCell: this.#log?.levelCell ?? null },
    }
    const ports = [task.store, task.documents.port, task.archive, task.renderer?.port ?? null, task.hooks?.port ?? null]
    thread.postMessage(
      request,
      ports.filter((port) => port !== null),
    )
  }

  /** Called by CrawlThreads, like the next four methods. */
  handleReply(thread: Worker, reply: CrawlThreadReply): void {
    const threadRun = this.#threadRuns.get(thread)
    if (threadRun === undefined) return
    if ('stats' in reply) this.#stats.set(thread, reply.stats)
    else if ('lines' in reply) this.#write(thread, reply.lines)
    else if ('end' in reply) {
      if (reply.hasUrlsInFlight) return void this.abandonThread(thread)
      threadRun.isOver = true
      threadRun.end.resolve(reply.end)
      if (reply.end !== 'stopped') this.#endCrawl()
    } else {
      threadRun.isOver = true
      threadRun.end.reject(new AppError(reply.failed.code, reply.failed.message))
    }
  }

  /** The thread has exited unexpectedly. */
  handleExit(thread: Worker, error: AppError): void {
    this.#threadRuns.get(thread)?.end.reject(error)
  }

  /** The thread may be stalled. Its URL must stay leased until that is certain: an attempt is recorded only under a lease. */
  renewCurrentLease(thread: Worker): void {
    const threadRun = this.#threadRuns.get(thread)
    const step = threadRun === undefined ? null : readStepCell(threadRun.assignment.stepCell)
    // If the renewal fails, the report of the attempt fails too and is handled there.
    if (step !== null) this.#frontier.renew([step.token]).catch(() => undefined)
  }

  /** A stalled thread was terminated; `next` continues in its place. */
  async replaceThread(thread: Worker, next: Worker): Promise<void> {
    const threadRun = this.#threadRuns.get(thread)
    if (threadRun === undefined || threadRun.isOver) return
    try {
      await this.#reportStall(threadRun)
      await this.#frontier.requeueThread(this.#crawl.id, threadRun.assignment.threadId)
    } catch (error) {
      threadRun.end.reject(asAppError(error))
      return
    }
    const stats = this.#stats.get(thread)
    if (stats !== undefined) this.#stats.set(thread, { ...stats, inFlight: 0, hosts: [], waits: [], oldestCommitMs: 0 })
    this.#threadRuns.delete(thread)
    this.#threadRuns.set(next, threadRun)
    this.#beginOnThread(next, threadRun)
    if (this.#isStopped) next.postMessage({ stop: this.#crawl.id } satisfies CrawlThreadRequest)
  }

  /** The thread has stopped, or was terminated, with URLs in flight. */
  async abandonThread(thread: Worker): Promise<void> {
    const threadRun = this.#threadRuns.get(thread)
    if (threadRun === undefined || threadRun.isOver) return
    threadRun.isOver = true
    await this.#frontier.requeueThread(this.#crawl.id, threadRun.assignment.threadId).then(
      () => threadRun.end.resolve('stopped'),
      (error: unknown) => threadRun.end.reject(asAppError(error)),
    )
  }

  /** Counts an attempt for the URL that was being processed, and for no other. */
  async #reportStall({ assignment: { threadId, stepCell } }: ThreadRun): Promise<void> {
    const step = readStepCell(stepCell)
    if (step === null) return
    const { id: crawlId, settings } = this.#crawl
    const report = reportStalled(step, settings.retryDelayMs, systemClock.now())
    if (this.#log !== null) {
      const fields = { crawl: crawlId, url: step.url, outcome: report.outcome.state }
      logAt(this.#log, 'warn', 'page stalled a crawl thread', fields)
    }
    const lists = { found: [], hosts: [], samples: [], release: [] }
    const nothing = { ...lists, linkKeys: new Uint8Array(0), rejected: {}, requests: {}, subresources: [], bytes: 0 }
    await this.#frontier.commit({ crawlId, threadId, visits: [report], ...nothing })
    new StepCell(stepCell).end()
  }

  /** Resolves when every thread has ended. The first failure of a thread, or of `failure`, stops the others. */
  async run(failure: Promise<never>): Promise<LoopEnd> {
    const all = [...this.#threadRuns.values()].map(({ end }) => end.promise)
    try {
      const ends = await Promise.race([Promise.all(all), failure])
      return ends.find((end) => end !== 'stopped') ?? 'stopped'
    } catch (error) {
      this.stop()
      await Promise.allSettled(all)
      throw error
    } finally {
      this.#isOver = true
      this.#unsubscribe()
      this.#onOver()
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#broadcast({ stop: this.#crawl.id })
  }

  /** Sets how many processes run the crawl; each enforces its share of the rate limit. */
  setProcessCount(processes: number): void {
    divideRate(this.#rateCell, processes)
  }

  /** The latest stats. Also requests newer ones from the threads. */
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
      held: this.#holds.reason,
    }
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whether the thread is still running the crawl. */
  isOn(thread: Worker): boolean {
    return this.#threadRuns.get(thread)?.isOver === false
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Also requests newer stats from the threads. */
  commitTimes(): CommitTimes {
    const { counts, sumMs } = this.stats().loopCounts.commit
    const oldestMs = Math.max(0, ...[...this.#stats.values()].map((stats) => stats.oldestCommitMs))
    return { count: counts.reduce((sum, n) => sum + n, 0), sumMs, oldestMs }
  }

  #write(thread: Worker, lines: LogLine[]): void {
    if (this.#log !== null) for (const { level, event, fields } of lines) logAt(this.#log, level, event, fields)
    thread.postMessage({ linesWritten: this.#crawl.id } satisfies CrawlThreadRequest)
  }

  /** Ends the hold: a thread on hold does not poll, so it would never see that the crawl is over. */
  #endCrawl(): void {
    this.#isCrawlOver = true
    this.#broadcast({ isOnHold: false, crawlId: this.#crawl.id })
  }

  #setOnHold(isOnHold: boolean): void {
    if (!this.#isCrawlOver) this.#broadcast({ isOnHold, crawlId: this.#crawl.id })
  }

  #broadcast(request: CrawlThreadRequest): void {
    for (const thread of this.#threadRuns.keys()) thread.postMessage(request)
  }
}

/** Threads can share a host: requests are added up, response times are weighted by requests. */
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
