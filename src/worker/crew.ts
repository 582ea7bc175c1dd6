// The crawl threads of one process, as one thing to start, watch and stop.

import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import type { LoopEnd } from '../engine/crawl/loop.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import { AppError, asAppError } from '../lib/errors.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { CrawlThreadReply, CrawlThreadRequest, CrawlThreadSettings } from './thread.ts'

export interface CrewSettings {
  crawl: Crawl
  threads: number
  seenUrls: number
  leaseMs: number
  connect: () => MessagePort
}

export interface CrewStats {
  inFlight: number
  requests: number
  hosts: HostStat[]
}

/** Pages die young. Left to itself V8 lets the heap of a crawl thread grow to 170 MB; so it stays at 60, as fast. */
const LIMITS = { maxYoungGenerationSizeMb: 12 }

export class Crew {
  readonly #workers: Worker[] = []
  readonly #stats = new Map<Worker, CrewStats>()
  readonly #ends: Promise<LoopEnd>[]

  constructor(settings: CrewSettings) {
    const { crawl, seenUrls, leaseMs } = settings
    const { concurrency, perHost } = crawl.settings
    // More threads than requests at a time would leave some with nothing to do, ever.
    const threads = Math.max(1, Math.min(settings.threads, concurrency))
    for (let i = 0; i < threads; i++) {
      const store = settings.connect()
      const thread: CrawlThreadSettings = {
        crawl,
        store,
        workerId: `${process.pid}-${i}`,
        concurrency: share(concurrency, threads, i),
        slotsPerHost: Math.ceil(perHost / threads),
        seenUrls: Math.ceil(seenUrls / threads),
        leaseMs,
      }
      const url = new URL('./thread.ts', import.meta.url)
      this.#workers.push(new Worker(url, { workerData: thread, transferList: [store], resourceLimits: LIMITS }))
    }
    this.#ends = this.#workers.map((worker) => this.#endOf(worker))
  }

  /** Resolves when every thread has ended; the first failure stops the others. */
  async run(): Promise<LoopEnd> {
    try {
      const ends = await Promise.all(this.#ends)
      return ends.find((end) => end !== 'stopped') ?? 'stopped'
    } catch (error) {
      this.stop()
      await Promise.allSettled(this.#ends)
      throw error
    }
  }

  stop(): void {
    this.#tell({ stop: true })
  }

  /** The latest figures; asks for newer ones on the way. */
  stats(): CrewStats {
    this.#tell({ stats: true })
    const all = [...this.#stats.values()]
    return {
      inFlight: all.reduce((sum, s) => sum + s.inFlight, 0),
      requests: all.reduce((sum, s) => sum + s.requests, 0),
      hosts: mergeHosts(all.flatMap((s) => s.hosts)),
    }
  }

  #tell(request: CrawlThreadRequest): void {
    for (const worker of this.#workers) worker.postMessage(request)
  }

  #endOf(worker: Worker): Promise<LoopEnd> {
    return new Promise((resolve, reject) => {
      worker.on('message', (reply: CrawlThreadReply) => {
        if ('stats' in reply) this.#stats.set(worker, reply.stats)
        else if ('end' in reply) resolve(reply.end)
        else reject(new AppError(reply.failed.code, reply.failed.message))
      })
      worker.on('error', (error) => reject(asAppError(error)))
      worker.on('exit', () => reject(new AppError('INTERNAL', 'A crawl thread ended without a word.')))
    })
  }
}

function share(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0)
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
