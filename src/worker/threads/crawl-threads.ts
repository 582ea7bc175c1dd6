// The crawl threads of one process. They are started before it is known what to crawl, the first of them before
// anything else, so that loading their code and opening the store go side by side; then they work on any number of
// crawls, each a shift (shift.ts).

import { setTimeout as sleep } from 'node:timers/promises'
import type { MessagePort, Worker } from 'node:worker_threads'
import { DOCUMENT_LIMITS } from '../../engine/media/document-types.ts'
import { newRateCell } from '../../engine/politeness/throttle.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { OpenLog } from '../../lib/log.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { DocumentPool, defaultReaderCount } from '../documents/document-pool.ts'
import type { Holds } from '../watch/holds.ts'
import { STALL_POLLING, StallWatch } from '../watch/stall-watch.ts'
import type { CrawlThreadReply } from './crawl-thread.ts'
import { type RecoveryFrontier, RunningCrawl, type ThreadAssignment } from './running-crawl.ts'
import { exitErrorOf, pulseOf, startCrawlThread } from './start-crawl-thread.ts'
import { newStepCell } from './step-cell.ts'

export interface CrawlThreadSettings {
  /** Of this process, and no other's: part of every lease. */
  workerId: string
  seenUrls: number
  /** Requests a second of all crawls together; null: no limit. */
  workerRate: number | null
  leaseMs: number
}

export interface CrawlConnections {
  /** For what a thread can no longer tell the store itself. */
  frontier: RecoveryFrontier
  connectStore: () => MessagePort
  /** Null when nothing is kept. */
  connectArchive: (() => MessagePort) | null
  /** While one is taken nothing new starts; what is under way is finished and committed, and no lease is kept. */
  holds: Holds
  /** Hears what becomes of urls and hosts; null when nobody does. */
  log: OpenLog | null
}

/** `threadId` of a worker thread that has exited. */
const EXITED_THREAD_ID = -1
const MAX_TERMINATE_MS = 3_000
/** Seconds without a turn of its event loop after which a thread that was told to stop is ended. */
const STOP_POLLS = 5

export class CrawlThreads {
  #threads: Worker[]
  readonly #runningCrawls = new Map<string, RunningCrawl>()
  readonly #workerRateCell = newRateCell()
  readonly #stallWatch: StallWatch
  readonly #documents = new DocumentPool(defaultReaderCount(), DOCUMENT_LIMITS, systemClock)
  #isClosed = false

  /** `early` is one of them that was started before. */
  constructor(threads: number, stallCpuMs: number, early: Worker | null = null) {
    this.#stallWatch = new StallWatch(
      { ...STALL_POLLING, cpuMs: stallCpuMs },
      {
        onSilent: (thread, looks) => {
          if (looks >= STOP_POLLS && this.#isStopping(thread)) return void this.#abandonSilent(thread)
          for (const runningCrawl of this.#runningCrawls.values()) runningCrawl.renewCurrentLease(thread)
        },
        onStalled: (thread) => void this.#replaceStalled(thread),
      },
    )
    this.#threads = Array.from({ length: threads }, (_, i) =>
      this.#addThread((i === 0 ? early : null) ?? startCrawlThread()),
    )
  }

  #addThread(thread: Worker): Worker {
    thread.ref()
    thread.on('message', (reply: CrawlThreadReply) =>
      this.#runningCrawls.get(reply.crawlId)?.handleReply(thread, reply),
    )
    thread.on('exit', () => {
      for (const runningCrawl of this.#runningCrawls.values())
        runningCrawl.handleExit(thread, asAppError(exitErrorOf(thread)))
    })
    this.#stallWatch.add(thread, pulseOf(thread))
    return thread
  }

  /** All its crawls go on with another thread in its place. */
  async #replaceStalled(stalled: Worker): Promise<void> {
    const next = await this.#terminate(stalled)
    if (this.#isClosed) return
    await Promise.all(
      [...this.#runningCrawls.values()].map((runningCrawl) => runningCrawl.replaceThread(stalled, next)),
    )
  }

  #isStopping(thread: Worker): boolean {
    const shifts = [...this.#runningCrawls.values()].filter((runningCrawl) => runningCrawl.isOn(thread))
    return shifts.length > 0 && shifts.every(({ isStopped }) => isStopped)
  }

  /** A thread that does not turn any more cannot stop by itself. What it was reading goes back without an attempt. */
  async #abandonSilent(silent: Worker): Promise<void> {
    this.#stallWatch.remove(silent)
    await this.#terminate(silent)
    if (this.#isClosed) return
    await Promise.all([...this.#runningCrawls.values()].map((runningCrawl) => runningCrawl.abandonThread(silent)))
  }

  /** Returns the thread that takes its place. */
  async #terminate(silent: Worker): Promise<Worker> {
    silent.removeAllListeners('exit')
    const next = this.#addThread(startCrawlThread())
    this.#threads = this.#threads.map((thread) => (thread === silent ? next : thread))
    // Its requests are under way until it has ended, and hosts must not be asked by two. What is stuck in a system call
    // ends only after that; nothing that it says then counts.
    await Promise.race([silent.terminate(), sleep(MAX_TERMINATE_MS, null, { ref: false })])
    return next
  }

  /** A crawl has one shift at a time. */
  begin(crawl: Crawl, settings: CrawlThreadSettings, parts: CrawlConnections): RunningCrawl {
    if (this.#isClosed) throw new AppError('INTERNAL', 'The crawl threads of this process have ended.')
    const { concurrency, perHost, perIp, maxRate } = crawl.settings
    const rateCell = newRateCell()
    const rates = [
      { perSecond: maxRate, cell: rateCell },
      { perSecond: settings.workerRate, cell: this.#workerRateCell },
    ]
    // Replaces threads that have exited; their crawls have failed already.
    this.#threads = this.#threads.map((thread) =>
      thread.threadId === EXITED_THREAD_ID ? this.#addThread(startCrawlThread()) : thread,
    )
    // More threads than requests at a time would leave some with nothing to do, ever.
    const threads = this.#threads.slice(0, concurrency)
    const onOver = () => {
      if (this.#runningCrawls.get(crawl.id) === runningCrawl) this.#runningCrawls.delete(crawl.id)
    }
    const begins = threads.map((thread, i): [Worker, ThreadAssignment] => {
      const workerId = `${settings.workerId}-${i}`
      const share = {
        workerId,
        worker: settings.workerId,
        concurrency: portion(concurrency, threads.length, i),
        slotsPerHost: Math.ceil(perHost / threads.length),
        // A host with a gap belongs whole to one thread, with all its slots.
        perIp: Math.max(Math.ceil(perIp / threads.length), perHost),
        rates,
        seenUrls: Math.ceil(settings.seenUrls / threads.length),
        leaseMs: settings.leaseMs,
      }
      const { connectStore, connectArchive } = parts
      const makeTask = () => ({
        ...{ crawl, share, store: connectStore(), archive: connectArchive?.() ?? null },
        documents: this.#documents.connect(),
      })
      return [thread, { workerId, makeTask, stepCell: newStepCell() }]
    })
    const { holds, log, frontier } = parts
    const runningCrawl: RunningCrawl = new RunningCrawl(crawl, new Map(begins), {
      holds,
      rateCell,
      log,
      frontier,
      onOver,
    })
    this.#runningCrawls.set(crawl.id, runningCrawl)
    return runningCrawl
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stallWatch.close()
    this.#runningCrawls.clear()
    for (const thread of this.#threads) thread.removeAllListeners('exit')
    await Promise.all([this.#documents.close(), ...this.#threads.map((thread) => thread.terminate())])
  }
}

function portion(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0)
}
