// The crawl threads of one process, as one thing to start, watch and stop.

import type { MessagePort } from 'node:worker_threads'
import { Worker } from 'node:worker_threads'
import type { Share } from '../engine/crawl/assemble.ts'
import type { LoopEnd } from '../engine/crawl/loop.ts'
import type { HostStat } from '../engine/crawl/stats.ts'
import { newRateCell } from '../engine/politeness/throttle.ts'
import { AppError, asAppError } from '../lib/errors.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { CrawlThreadReply, CrawlThreadRequest, CrawlThreadSettings } from './thread.ts'

export interface CrewSettings {
  crawl: Crawl
  seenUrls: number
  leaseMs: number
  connectStore: () => MessagePort
  /** Null when nothing is kept. */
  connectArchive: (() => MessagePort) | null
}

export interface CrewStats {
  inFlight: number
  requests: number
  hosts: HostStat[]
}

/** Pages die young. Left to itself V8 lets the heap of a crawl thread grow to 170 MB; so it stays at 60, as fast. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }

/** Starts threads that load their code and wait for a crawl, while the caller opens the store. */
export function recruit(threads: number): Worker[] {
  const url = new URL('./thread.ts', import.meta.url)
  return Array.from({ length: threads }, () => new Worker(url, { resourceLimits: LIMITS }))
}

export class Crew {
  readonly #workers: Worker[]
  readonly #stats = new Map<Worker, CrewStats>()
  readonly #ends: Promise<LoopEnd>[]

  constructor(recruits: Worker[], settings: CrewSettings) {
    const { concurrency, perHost, perIp } = settings.crawl.settings
    const rateCell = newRateCell()
    // More threads than requests at a time would leave some with nothing to do, ever.
    const threads = Math.min(recruits.length, concurrency)
    this.#workers = recruits.slice(0, threads)
    for (const spare of recruits.slice(threads)) void spare.terminate()
    this.#ends = this.#workers.map((worker) => this.#endOf(worker))
    this.#workers.forEach((worker, i) => {
      const store = settings.connectStore()
      const archive = settings.connectArchive?.() ?? null
      const share: Share = {
        workerId: `${process.pid}-${i}`,
        concurrency: portion(concurrency, threads, i),
        slotsPerHost: Math.ceil(perHost / threads),
        // A host with a gap belongs whole to one thread, with all its slots.
        perIp: Math.max(Math.ceil(perIp / threads), perHost),
        rateCell,
        seenUrls: Math.ceil(settings.seenUrls / threads),
        leaseMs: settings.leaseMs,
      }
      const thread: CrawlThreadSettings = { crawl: settings.crawl, store, archive, share }
      worker.postMessage(thread, archive === null ? [store] : [store, archive])
    })
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

function portion(total: number, parts: number, index: number): number {
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
