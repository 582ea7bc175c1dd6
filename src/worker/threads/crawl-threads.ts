// The crawl threads of one process. The first is started before it is known what to crawl, so that loading its code
// and opening the store happen in parallel; the others when a crawl has work for them, because each takes 28 MB and
// 0.25 s of CPU to start (2026-11). They run any number of crawls at a time, each a RunningCrawl. A thread that stalls
// is replaced at once. The crawls of a thread that exits fail in this process; the next crawl to start replaces the
// thread.

import { setTimeout as sleep } from 'node:timers/promises'
import type { MessagePort, Worker } from 'node:worker_threads'
import { DOCUMENT_LIMITS } from '../../engine/media/document-types.ts'
import { newRateCell } from '../../engine/politeness/throttle.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { OpenLog } from '../../lib/log.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { RenderPort } from '../../render/pool/render-client.ts'
import { DocumentPool, defaultReaderCount } from '../documents/document-pool.ts'
import type { Holds } from '../holds/holds.ts'
import type { HookPort } from '../hooks/serve-hooks.ts'
import type { CrawlThreadReply } from './crawl-thread.ts'
import { type RecoveryFrontier, RunningCrawl, type ThreadAssignment } from './running-crawl.ts'
import { STALL_POLLING, StallDetector } from './stall-detector.ts'
import { exitErrorOf, pulseOf, startCrawlThread } from './start-crawl-thread.ts'
import { newStepCell } from './step-cell.ts'

export interface CrawlThreadSettings {
  /** Id of this process in the table of workers. */
  workerId: string
  seenUrls: number
  /** Requests per second over all crawls; null means no limit. */
  workerRate: number | null
  leaseMs: number
  pollMinMs: number
  pollMaxMs: number
  failsWithoutProxy: boolean
}

export interface CrawlConnections {
  /** Recovers reports that a dead thread can no longer send to the store itself. */
  frontier: RecoveryFrontier
  connectStore: () => MessagePort
  /** Null if nothing is archived. */
  connectArchive: (() => MessagePort) | null
  /** Null if the crawl does not render. */
  connectRenderer: (() => RenderPort) | null
  /** Null if the program has no hooks. */
  connectHooks: (() => HookPort) | null
  /** While a hold is taken, nothing starts; requests in flight finish and are committed, and leases are released. */
  holds: Holds
  /** Log for URLs and hosts; null if there is none. */
  log: OpenLog | null
}

/** `threadId` of a worker thread that has exited. */
const EXITED_THREAD_ID = -1
const MAX_TERMINATE_MS = 3_000
/** A stopping thread is terminated after this many polls (seconds) without a turn of its event loop. */
const STOP_POLLS = 5

export class CrawlThreads {
  #threads: Worker[]
  readonly #maxThreads: number
  readonly #runningCrawls = new Map<string, RunningCrawl>()
  readonly #workerRateCell = newRateCell()
  readonly #stallDetector: StallDetector
  readonly #documents = new DocumentPool(defaultReaderCount(), DOCUMENT_LIMITS, systemClock)
  #isClosed = false

  /** `early`: a thread that was started already, to be used as the first. */
  constructor(maxThreads: number, stallCpuMs: number, early: Worker | null = null) {
    this.#maxThreads = maxThreads
    this.#stallDetector = new StallDetector(
      { ...STALL_POLLING, cpuMs: stallCpuMs },
      {
        onSilent: (thread, silentPolls) => {
          if (silentPolls >= STOP_POLLS && this.#isStopping(thread)) return void this.#terminateStopping(thread)
          for (const runningCrawl of this.#runningCrawls.values()) runningCrawl.renewCurrentLease(thread)
        },
        onStalled: (thread) => void this.#replaceStalled(thread),
      },
    )
    this.#threads = [this.#addThread(early ?? startCrawlThread())]
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
    this.#stallDetector.add(thread, pulseOf(thread))
    return thread
  }

  /** Replaces a stalled thread. Its crawls continue on a new thread. */
  async #replaceStalled(stalled: Worker): Promise<void> {
    const next = await this.#terminate(stalled)
    if (this.#isClosed) return
    await Promise.all(
      [...this.#runningCrawls.values()].map((runningCrawl) => runningCrawl.replaceThread(stalled, next)),
    )
  }

  #isStopping(thread: Worker): boolean {
    const crawls = [...this.#runningCrawls.values()].filter((runningCrawl) => runningCrawl.isOn(thread))
    return crawls.length > 0 && crawls.every(({ isStopped }) => isStopped)
  }

  /**
   * Terminates a thread that does not respond to a stop request. The URL it was processing is requeued without an
   * attempt.
   */
  async #terminateStopping(silent: Worker): Promise<void> {
    this.#stallDetector.remove(silent)
    await this.#terminate(silent)
    if (this.#isClosed) return
    await Promise.all([...this.#runningCrawls.values()].map((runningCrawl) => runningCrawl.abandonThread(silent)))
  }

  /** Returns the thread that replaces it. */
  async #terminate(silent: Worker): Promise<Worker> {
    silent.removeAllListeners('exit')
    const next = this.#addThread(startCrawlThread())
    this.#threads = this.#threads.map((thread) => (thread === silent ? next : thread))
    // Requests of the thread may be in flight until it has ended, so its hosts must not be leased again. A thread that
    // is stuck in a system call may end later than the timeout; its messages are then ignored.
    await Promise.race([silent.terminate(), sleep(MAX_TERMINATE_MS, null, { ref: false })])
    return next
  }

  /** A crawl can run only once at a time. */
  begin(crawl: Crawl, settings: CrawlThreadSettings, connections: CrawlConnections): RunningCrawl {
    if (this.#isClosed) throw new AppError('INTERNAL', 'The crawl threads of this process are closed.')
    const { concurrency, perHost, perIp, maxRate } = crawl.settings
    const rateCell = newRateCell()
    const rates = [
      { perSecond: maxRate, cell: rateCell },
      { perSecond: settings.workerRate, cell: this.#workerRateCell },
    ]
    const threads = this.#chooseThreads(mostRequestsAtOnce(crawl))
    const onOver = () => {
      if (this.#runningCrawls.get(crawl.id) === runningCrawl) this.#runningCrawls.delete(crawl.id)
    }
    const assignments = threads.map((thread, i): [Worker, ThreadAssignment] => {
      const threadId = `${settings.workerId}-${this.#threads.indexOf(thread)}`
      const limits = {
        threadId,
        workerId: settings.workerId,
        concurrency: portion(concurrency, threads.length, i),
        slotsPerHost: Math.ceil(perHost / threads.length),
        // An exclusive host is leased to one thread with all its slots.
        perIp: Math.max(Math.ceil(perIp / threads.length), perHost),
        rates,
        seenUrls: Math.ceil(settings.seenUrls / threads.length),
        leaseMs: settings.leaseMs,
        pollMinMs: settings.pollMinMs,
        pollMaxMs: settings.pollMaxMs,
      }
      const { connectStore, connectArchive, connectRenderer, connectHooks } = connections
      const makeTask = () => ({
        crawl,
        limits,
        store: connectStore(),
        archive: connectArchive?.() ?? null,
        documents: this.#documents.connect(),
        renderer: connectRenderer?.() ?? null,
        hooks: connectHooks?.() ?? null,
        failsWithoutProxy: settings.failsWithoutProxy,
      })
      return [thread, { threadId, makeTask, stepCell: newStepCell() }]
    })
    const { holds, log, frontier } = connections
    const runningCrawl: RunningCrawl = new RunningCrawl(crawl, new Map(assignments), {
      holds,
      rateCell,
      log,
      frontier,
      onOver,
    })
    this.#runningCrawls.set(crawl.id, runningCrawl)
    return runningCrawl
  }

  /** The least busy threads, after starting more if these are not idle. */
  #chooseThreads(wanted: number): Worker[] {
    // Replaces threads that have exited; their crawls have failed already.
    this.#threads = this.#threads.map((thread) =>
      thread.threadId === EXITED_THREAD_ID ? this.#addThread(startCrawlThread()) : thread,
    )
    const crawlsOn = (thread: Worker) =>
      this.#runningCrawls
        .values()
        .filter((crawl) => crawl.isOn(thread))
        .toArray().length
    const idle = this.#threads.filter((thread) => crawlsOn(thread) === 0).length
    const missing = Math.min(wanted - idle, this.#maxThreads - this.#threads.length)
    for (let i = 0; i < missing; i++) this.#threads.push(this.#addThread(startCrawlThread()))
    return this.#threads.toSorted((a, b) => crawlsOn(a) - crawlsOn(b)).slice(0, wanted)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stallDetector.close()
    this.#runningCrawls.clear()
    for (const thread of this.#threads) thread.removeAllListeners('exit')
    await Promise.all([this.#documents.close(), ...this.#threads.map((thread) => thread.terminate())])
  }
}

/** Any more threads would never have anything to do. */
function mostRequestsAtOnce({ seeds, settings }: Crawl): number {
  const { scope, concurrency, perHost, requisites } = settings
  const hasFewHosts = (scope === 'host' || scope === 'prefix') && !requisites && seeds.length > 0
  if (!hasFewHosts) return concurrency
  const hosts = new Set<string>()
  for (const seed of seeds) {
    hosts.add(new URL(seed).host)
    if (hosts.size >= concurrency) break
  }
  return Math.min(concurrency, hosts.size * perHost)
}

function portion(total: number, count: number, index: number): number {
  return Math.floor(total / count) + (index < total % count ? 1 : 0)
}
