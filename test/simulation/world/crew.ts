// The workers of a world and whoever looks after them: one whose loop failed, or that crashed, is started anew.

import type { LoopEnd } from '../../../src/engine/crawl/loop.ts'
import { AppError, type ErrorCode } from '../../../src/lib/errors.ts'
import type { Crawl } from '../../../src/ports/crawls.ts'
import { makeWorker, type Worker, type WorkerParts } from './worker.ts'

export interface CrewParts extends WorkerParts {
  onBroken(promise: string, detail: string): void
}

const RESTART_MS = 500

export class Crew {
  readonly #parts: CrewParts
  readonly #crawls: Crawl[]
  readonly #workers = new Map<number, Worker>()
  /** Slots whose worker will be started anew, with what keeps that from happening. */
  readonly #awaited = new Map<number, () => void>()
  /** Slots that were told to stop; a crash brings them back. */
  readonly #leaving = new Set<number>()
  /** Those that shall work by new settings once they have come to their end. */
  readonly #renewed = new Set<number>()
  /** Crawls that are gone. */
  readonly #removed = new Set<number>()
  #slots = 0
  #starts = 0

  constructor(parts: CrewParts, crawls: Crawl[]) {
    this.#parts = parts
    this.#crawls = crawls
  }

  /** Every loop has come to its end. */
  get isDone(): boolean {
    return this.#workers.size === 0 && this.#awaited.size === 0
  }

  /** One more worker; they take the crawls by turns. */
  add(): void {
    this.#slots += 1
    this.#start(this.#slots - 1)
  }

  /** One of those at work; undefined when there is none. */
  pick(n: number): Worker | undefined {
    return [...this.#workers.values()][n % this.#workers.size]
  }

  crash(worker: Worker, restartMs: number): void {
    this.#parts.onEvent(worker.process.name, 'crashes')
    this.#end(worker)
    this.#startLater(worker.slot, restartMs)
  }

  /** False for the last worker of a crawl, which stays. */
  stop({ slot, process, loop, crawl }: Worker): boolean {
    const staying = [...this.#workers.values()].filter(
      (other) => other.crawl === crawl && !this.#leaving.has(other.slot),
    )
    if (staying.length <= 1) return false
    this.#leaving.add(slot)
    this.#parts.onEvent(process.name, 'is told to stop')
    process.run(() => loop.stop())
    return true
  }

  /** The crawl goes on, by these settings: who works on it begins anew, and who had ended comes back. */
  recall(crawl: number, job: Crawl): void {
    this.#crawls[crawl] = job
    for (let slot = crawl; slot < this.#slots; slot += this.#crawls.length) {
      const worker = this.#workers.get(slot)
      if (worker === undefined && !this.#awaited.has(slot)) this.#startLater(slot, RESTART_MS)
      if (worker === undefined || this.#leaving.has(slot)) continue
      this.#renewed.add(slot)
      worker.process.run(() => worker.loop.stop())
    }
  }

  /** It is gone: nobody works on it any more. */
  dismiss(crawl: number): void {
    this.#removed.add(crawl)
  }

  /** All are gone at once, also those that were about to be started. */
  crashAll(restartMs: number): void {
    for (const [slot, cancel] of [...this.#awaited]) {
      cancel()
      this.#startLater(slot, restartMs)
    }
    for (const worker of [...this.#workers.values()]) this.crash(worker, restartMs)
  }

  #start(slot: number): void {
    const crawl = slot % this.#crawls.length
    const job = this.#crawls[crawl]
    if (this.#removed.has(crawl)) return
    if (job === undefined) throw new Error(`there is no crawl ${crawl}`)
    this.#starts += 1
    const worker = makeWorker({ slot, crawl, job, number: this.#starts }, this.#parts)
    this.#workers.set(slot, worker)
    this.#parts.onEvent(worker.process.name, `starts on crawl ${crawl}`)
    worker.loop.run().then(
      (end) => this.#ended(worker, end),
      (error: unknown) => this.#failed(worker, error),
    )
  }

  #startLater(slot: number, afterMs: number): void {
    const cancel = this.#parts.timeline.after(afterMs, () => {
      this.#awaited.delete(slot)
      this.#start(slot)
    })
    this.#awaited.set(slot, cancel)
  }

  #ended(worker: Worker, end: LoopEnd): void {
    this.#parts.onEvent(worker.process.name, `ends: ${end}`)
    // However it ended: it may have heard of a pause that is over.
    const isRenewed = this.#renewed.has(worker.slot)
    this.#end(worker)
    if (isRenewed) this.#startLater(worker.slot, RESTART_MS)
  }

  /** A store that cannot be reached ends a worker; anything else is a defect. */
  #failed(worker: Worker, error: unknown): void {
    const { onEvent, onBroken } = this.#parts
    onEvent(worker.process.name, `fails: ${error instanceof Error ? error.message : error}`)
    const isCrawlGone = this.#removed.has(worker.crawl) && isCoded(error, 'CRAWL_NOT_FOUND')
    if (!isCoded(error, 'STORE_FAILED') && !isCrawlGone) {
      onBroken('no failure', error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    this.#end(worker)
    this.#startLater(worker.slot, RESTART_MS)
  }

  #end(worker: Worker): void {
    worker.process.end()
    this.#parts.servers.cut(worker.process)
    this.#workers.delete(worker.slot)
    this.#leaving.delete(worker.slot)
    this.#renewed.delete(worker.slot)
  }
}

function isCoded(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code
}
