// The workers of a world and whoever looks after them: one whose loop failed, or that crashed, is started anew.

import type { LoopEnd } from '../../../../src/engine/crawl/loop/crawl-loop.ts'
import { AppError, type ErrorCode } from '../../../../src/lib/errors.ts'
import type { Crawl } from '../../../../src/ports/crawls.ts'
import { type SimulatedWorker, type SimulatedWorkerDependencies, startSimulatedWorker } from './simulated-worker.ts'

export interface SimulatedWorkersDependencies extends SimulatedWorkerDependencies {
  onBroken(promise: string, detail: string): void
}

const RESTART_MS = 500

export class SimulatedWorkers {
  readonly #dependencies: SimulatedWorkersDependencies
  readonly #crawls: Crawl[]
  readonly #workers = new Map<number, SimulatedWorker>()
  /** Slots whose worker will be started anew, with what keeps that from happening. */
  readonly #pendingStarts = new Map<number, () => void>()
  /** Slots that were told to stop; a crash brings them back. */
  readonly #stopping = new Set<number>()
  /** Those that shall work by new settings once they have come to their end. */
  readonly #restarting = new Set<number>()
  /** Crawls that are gone. */
  readonly #removedCrawls = new Set<number>()
  #slots = 0
  #starts = 0

  constructor(parts: SimulatedWorkersDependencies, crawls: Crawl[]) {
    this.#dependencies = parts
    this.#crawls = crawls
  }

  /** Every loop has come to its end. */
  get isDone(): boolean {
    return this.#workers.size === 0 && this.#pendingStarts.size === 0
  }

  /** One more worker; they take the crawls by turns. */
  add(): void {
    this.#slots += 1
    this.#start(this.#slots - 1)
  }

  /** One of those at work; undefined when there is none. */
  pick(n: number): SimulatedWorker | undefined {
    return [...this.#workers.values()][n % this.#workers.size]
  }

  crash(simulatedWorker: SimulatedWorker, restartMs: number): void {
    this.#dependencies.onEvent(simulatedWorker.process.name, 'crashes')
    this.#end(simulatedWorker)
    this.#startLater(simulatedWorker.slot, restartMs)
  }

  /** False for the last worker of a crawl, which stays. */
  stop({ slot, process, loop, crawl }: SimulatedWorker): boolean {
    const staying = [...this.#workers.values()].filter(
      (other) => other.crawl === crawl && !this.#stopping.has(other.slot),
    )
    if (staying.length <= 1) return false
    this.#stopping.add(slot)
    this.#dependencies.onEvent(process.name, 'is told to stop')
    process.run(() => loop.stop())
    return true
  }

  /** The crawl goes on, by these settings: who works on it begins anew, and who had ended comes back. */
  restartOn(crawl: number, job: Crawl): void {
    this.#crawls[crawl] = job
    for (let slot = crawl; slot < this.#slots; slot += this.#crawls.length) {
      const worker = this.#workers.get(slot)
      if (worker === undefined && !this.#pendingStarts.has(slot)) this.#startLater(slot, RESTART_MS)
      if (worker === undefined || this.#stopping.has(slot)) continue
      this.#restarting.add(slot)
      worker.process.run(() => worker.loop.stop())
    }
  }

  /** It is gone: nobody works on it any more. */
  forgetCrawl(crawl: number): void {
    this.#removedCrawls.add(crawl)
  }

  /** All are gone at once, also those that were about to be started. */
  crashAll(restartMs: number): void {
    for (const [slot, cancel] of [...this.#pendingStarts]) {
      cancel()
      this.#startLater(slot, restartMs)
    }
    for (const simulatedWorker of [...this.#workers.values()]) this.crash(simulatedWorker, restartMs)
  }

  #start(slot: number): void {
    const crawl = slot % this.#crawls.length
    const job = this.#crawls[crawl]
    if (this.#removedCrawls.has(crawl)) return
    if (job === undefined) throw new Error(`there is no crawl ${crawl}`)
    this.#starts += 1
    const simulatedWorker = startSimulatedWorker({ slot, crawl, job, number: this.#starts }, this.#dependencies)
    this.#workers.set(slot, simulatedWorker)
    this.#dependencies.onEvent(simulatedWorker.process.name, `starts on crawl ${crawl}`)
    simulatedWorker.loop.run().then(
      (end) => this.#ended(simulatedWorker, end),
      (error: unknown) => this.#failed(simulatedWorker, error),
    )
  }

  #startLater(slot: number, afterMs: number): void {
    const cancel = this.#dependencies.timeline.after(afterMs, () => {
      this.#pendingStarts.delete(slot)
      this.#start(slot)
    })
    this.#pendingStarts.set(slot, cancel)
  }

  #ended(simulatedWorker: SimulatedWorker, end: LoopEnd): void {
    this.#dependencies.onEvent(simulatedWorker.process.name, `ends: ${end}`)
    // However it ended: it may have heard of a pause that is over.
    const isRenewed = this.#restarting.has(simulatedWorker.slot)
    this.#end(simulatedWorker)
    if (isRenewed) this.#startLater(simulatedWorker.slot, RESTART_MS)
  }

  /** A store that cannot be reached ends a worker; anything else is a defect. */
  #failed(simulatedWorker: SimulatedWorker, error: unknown): void {
    const { onEvent, onBroken } = this.#dependencies
    onEvent(simulatedWorker.process.name, `fails: ${error instanceof Error ? error.message : error}`)
    const isCrawlGone = this.#removedCrawls.has(simulatedWorker.crawl) && hasErrorCode(error, 'CRAWL_NOT_FOUND')
    if (!hasErrorCode(error, 'STORE_FAILED') && !isCrawlGone) {
      onBroken('no failure', error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    this.#end(simulatedWorker)
    this.#startLater(simulatedWorker.slot, RESTART_MS)
  }

  #end(simulatedWorker: SimulatedWorker): void {
    simulatedWorker.process.end()
    this.#dependencies.servers.closeConnections(simulatedWorker.process)
    this.#workers.delete(simulatedWorker.slot)
    this.#stopping.delete(simulatedWorker.slot)
    this.#restarting.delete(simulatedWorker.slot)
  }
}

function hasErrorCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code
}
