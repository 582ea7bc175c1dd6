// One crawl on the threads of a crew, as one thing to watch, hold and stop.

import type { Worker } from 'node:worker_threads'
import type { LoopEnd } from '../engine/crawl/loop.ts'
import { mergePhases } from '../engine/crawl/phases.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import { addTallies, NO_TALLIES } from '../engine/crawl/tally.ts'
import { type HoldReason, mergeWaits } from '../engine/crawl/waits.ts'
import { shareRate } from '../engine/politeness/throttle.ts'
import { AppError } from '../lib/errors.ts'
import { logAt, type OpenLog } from '../lib/log.ts'
import type { Holds } from './holds.ts'
import type { CommitTimes } from './store-watch.ts'
import type { CrawlTask, CrawlThreadReply, CrawlThreadRequest, LoopStats } from './thread.ts'
import type { LogLine } from './thread-log.ts'

export interface ShiftStats extends Omit<LoopStats, 'oldestCommitMs'> {
  held: HoldReason | null
}

export interface ShiftTools {
  holds: Holds
  rateCell: SharedArrayBuffer
  log: OpenLog | null
  onOver: () => void
}

type End = PromiseWithResolvers<LoopEnd>

export class Shift {
  readonly #crawlId: string
  readonly #holds: Holds
  readonly #rateCell: SharedArrayBuffer
  readonly #log: OpenLog | null
  readonly #onOver: () => void
  readonly #ends: Map<Worker, End>
  readonly #stats = new Map<Worker, LoopStats>()
  readonly #stopWatching: () => void
  #isCrawlOver = false
  #isOver = false

  constructor(crawlId: string, threads: Worker[], { holds, rateCell, log, onOver }: ShiftTools) {
    this.#crawlId = crawlId
    this.#holds = holds
    this.#rateCell = rateCell
    this.#log = log
    this.#onOver = onOver
    this.#ends = new Map(threads.map((thread) => [thread, Promise.withResolvers<LoopEnd>()]))
    // Told to whoever waits for it, whenever that is.
    for (const { promise } of this.#ends.values()) promise.catch(() => undefined)
    this.#stopWatching = holds.watch((held) => this.#setHeld(held !== null))
  }

  /** The crew's to call, as the next two. */
  begin(thread: Worker, task: Omit<CrawlTask, 'isHeld' | 'levelCell'>): void {
    const state = { isHeld: this.#holds.held !== null, levelCell: this.#log?.levelCell ?? null }
    const request: CrawlThreadRequest = { begin: { ...task, ...state } }
    thread.postMessage(request, task.archive === null ? [task.store] : [task.store, task.archive])
  }

  hear(thread: Worker, reply: CrawlThreadReply): void {
    const end = this.#ends.get(thread)
    if ('stats' in reply) this.#stats.set(thread, reply.stats)
    else if ('lines' in reply) this.#write(thread, reply.lines)
    else if ('end' in reply) {
      end?.resolve(reply.end)
      if (reply.end !== 'stopped') this.#endCrawl()
    } else end?.reject(new AppError(reply.failed.code, reply.failed.message))
  }

  /** The thread has died. */
  lose(thread: Worker, error: AppError): void {
    this.#ends.get(thread)?.reject(error)
  }

  /** Resolves when every thread has ended; the first failure, or trouble from outside, stops the others. */
  async run(trouble: Promise<never>): Promise<LoopEnd> {
    const all = [...this.#ends.values()].map(({ promise }) => promise)
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
    this.#tell({ stop: this.#crawlId })
  }

  /** So many processes work on the crawl: each keeps its part of the requests a second. */
  shareWith(processes: number): void {
    shareRate(this.#rateCell, processes)
  }

  /** The latest figures; asks for newer ones on the way. */
  stats(): ShiftStats {
    this.#tell({ stats: this.#crawlId })
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
      tallies: all.map((s) => s.tallies).reduce(addTallies, NO_TALLIES),
      held: this.#holds.held,
    }
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Asks for newer figures on the way. */
  commits(): CommitTimes {
    const { counts, sumMs } = this.stats().tallies.commit
    const oldestMs = Math.max(0, ...[...this.#stats.values()].map((stats) => stats.oldestCommitMs))
    return { count: counts.reduce((sum, n) => sum + n, 0), sumMs, oldestMs }
  }

  #write(thread: Worker, lines: LogLine[]): void {
    if (this.#log !== null) for (const { level, event, fields } of lines) logAt(this.#log, level, event, fields)
    thread.postMessage({ heard: this.#crawlId } satisfies CrawlThreadRequest)
  }

  /** Threads that are held have to ask for work to see that there is none, and will never be. */
  #endCrawl(): void {
    this.#isCrawlOver = true
    this.#tell({ held: false, crawlId: this.#crawlId })
  }

  #setHeld(held: boolean): void {
    if (!this.#isCrawlOver) this.#tell({ held, crawlId: this.#crawlId })
  }

  #tell(request: CrawlThreadRequest): void {
    for (const thread of this.#ends.keys()) thread.postMessage(request)
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
