// The workers of a simulation and their supervisor: a worker whose loop failed, or that crashed, is restarted.

import type { LoopEnd } from '../../../../src/engine/crawl/loop/crawl-loop.ts'
import { AppError, type ErrorCode } from '../../../../src/lib/errors.ts'
import type { Crawl } from '../../../../src/ports/crawls.ts'
import { type SimulatedWorker, type SimulatedWorkerDependencies, startSimulatedWorker } from './simulated-worker.ts'

export interface SimulatedWorkersDependencies extends SimulatedWorkerDependencies {
  onViolation(promise: string, detail: string): void
}

const RESTART_MS = 500

export class SimulatedWorkers {
  readonly #dependencies: SimulatedWorkersDependencies
  readonly #crawls: Crawl[]
  readonly #workers = new Map<number, SimulatedWorker>()
  /** Slots whose worker will be restarted, each with a function that cancels the restart. */
  readonly #pendingStarts = new Map<number, () => void>()
  /** Slots that were asked to stop; a crash restarts them. */
  readonly #stopping = new Set<number>()
  /** Slots that restart with new settings once their loop has ended. */
  readonly #restarting = new Set<number>()
  /** Removed crawls. */
  readonly #removedCrawls = new Set<number>()
  #slots = 0
  #starts = 0

  constructor(parts: SimulatedWorkersDependencies, crawls: Crawl[]) {
    this.#dependencies = parts
    this.#crawls = crawls
  }

  /** Whether every loop has ended. */
  get isDone(): boolean {
    return this.#workers.size === 0 && this.#pendingStarts.size === 0
  }

  /** Adds a worker; workers are assigned to crawls in turn. */
  add(): void {
    this.#slots += 1
    this.#start(this.#slots - 1)
  }

  /** A running worker; undefined if there is none. */
  pick(n: number): SimulatedWorker | undefined {
    return [...this.#workers.values()][n % this.#workers.size]
  }

  crash(simulatedWorker: SimulatedWorker, restartMs: number): void {
    this.#dependencies.onEvent(simulatedWorker.process.name, 'crashes')
    this.#end(simulatedWorker)
    this.#startLater(simulatedWorker.slot, restartMs)
  }

  /** Returns false for the last worker of a crawl, which keeps running. */
  stop({ slot, process, loop, crawl }: SimulatedWorker): boolean {
    const staying = [...this.#workers.values()].filter(
      (other) => other.crawl === crawl && !this.#stopping.has(other.slot),
    )
    if (staying.length <= 1) return false
    this.#stopping.add(slot)
    this.#dependencies.onEvent(process.name, 'is asked to stop')
    process.run(() => loop.stop())
    return true
  }

  /** Continues the crawl with these settings: its workers restart, including workers that had ended. */
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

  /** The crawl is removed: its workers end. */
  forgetCrawl(crawl: number): void {
    this.#removedCrawls.add(crawl)
  }

  /** Crashes all workers at once, including those that were about to start. */
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
    if (job === undefined) throw new Error(`Crawl ${crawl} does not exist.`)
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
    // However it ended: it may have ended because of a pause that is over.
    const isRenewed = this.#restarting.has(simulatedWorker.slot)
    this.#end(simulatedWorker)
    if (isRenewed) this.#startLater(simulatedWorker.slot, RESTART_MS)
  }

  /** A store that cannot be reached ends a worker; any other error is a defect. */
  #failed(simulatedWorker: SimulatedWorker, error: unknown): void {
    const { onEvent, onViolation } = this.#dependencies
    onEvent(simulatedWorker.process.name, `fails: ${error instanceof Error ? error.message : error}`)
    const isCrawlGone = this.#removedCrawls.has(simulatedWorker.crawl) && hasErrorCode(error, 'CRAWL_NOT_FOUND')
    if (!hasErrorCode(error, 'STORE_FAILED') && !isCrawlGone) {
      onViolation('no failure', error instanceof Error ? (error.stack ?? error.message) : String(error))
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
