// The crawl threads of one process. They are started before it is known what to crawl, the first of them before anything
// else, so that loading their code and opening the store go side by side; then they work on any number of crawls, each a
// shift (shift.ts).

import type { MessagePort, Worker } from 'node:worker_threads'
import { newRateCell } from '../engine/politeness/throttle.ts'
import { AppError, asAppError } from '../lib/errors.ts'
import type { OpenLog } from '../lib/log.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Holds } from './holds.ts'
import { Shift } from './shift.ts'
import { failureOf, startThread } from './start-thread.ts'
import type { CrawlThreadReply } from './thread.ts'

export interface CrewSettings {
  /** Of this process, and no other's: part of every lease. */
  workerId: string
  seenUrls: number
  /** Requests a second of all crawls together; null: no limit. */
  workerRate: number | null
  leaseMs: number
}

export interface ShiftParts {
  connectStore: () => MessagePort
  /** Null when nothing is kept. */
  connectArchive: (() => MessagePort) | null
  /** While one is taken nothing new starts; what is under way is finished and committed, and no lease is kept. */
  holds: Holds
  /** Hears what becomes of urls and hosts; null when nobody does. */
  log: OpenLog | null
}

/** What a thread that is over has for an id. */
const ENDED = -1

export class Crew {
  #threads: Worker[]
  readonly #shifts = new Map<string, Shift>()
  readonly #workerRateCell = newRateCell()
  #isClosed = false

  /** `early` is one of them that was started before. */
  constructor(threads: number, early: Worker | null = null) {
    this.#threads = Array.from({ length: threads }, (_, i) => this.#engage((i === 0 ? early : null) ?? startThread()))
  }

  #engage(thread: Worker): Worker {
    thread.ref()
    thread.on('message', (reply: CrawlThreadReply) => this.#shifts.get(reply.crawlId)?.hear(thread, reply))
    thread.on('exit', () => {
      for (const shift of this.#shifts.values()) shift.lose(thread, asAppError(failureOf(thread)))
    })
    return thread
  }

  /** A crawl has one shift at a time. */
  begin(crawl: Crawl, settings: CrewSettings, parts: ShiftParts): Shift {
    if (this.#isClosed) throw new AppError('INTERNAL', 'The crawl threads of this process have ended.')
    const { concurrency, perHost, perIp, maxRate } = crawl.settings
    const rateCell = newRateCell()
    const rates = [
      { perSecond: maxRate, cell: rateCell },
      { perSecond: settings.workerRate, cell: this.#workerRateCell },
    ]
    // One that died took its shifts with it; the next begin anew.
    this.#threads = this.#threads.map((thread) => (thread.threadId === ENDED ? this.#engage(startThread()) : thread))
    // More threads than requests at a time would leave some with nothing to do, ever.
    const threads = this.#threads.slice(0, concurrency)
    const onOver = () => {
      if (this.#shifts.get(crawl.id) === shift) this.#shifts.delete(crawl.id)
    }
    const shift: Shift = new Shift(crawl.id, threads, { holds: parts.holds, rateCell, log: parts.log, onOver })
    this.#shifts.set(crawl.id, shift)
    threads.forEach((thread, i) => {
      shift.begin(thread, {
        crawl,
        store: parts.connectStore(),
        archive: parts.connectArchive?.() ?? null,
        share: {
          workerId: `${settings.workerId}-${i}`,
          worker: settings.workerId,
          concurrency: portion(concurrency, threads.length, i),
          slotsPerHost: Math.ceil(perHost / threads.length),
          // A host with a gap belongs whole to one thread, with all its slots.
          perIp: Math.max(Math.ceil(perIp / threads.length), perHost),
          rates,
          seenUrls: Math.ceil(settings.seenUrls / threads.length),
          leaseMs: settings.leaseMs,
        },
      })
    })
    return shift
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#shifts.clear()
    for (const thread of this.#threads) thread.removeAllListeners('exit')
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }
}

function portion(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0)
}
