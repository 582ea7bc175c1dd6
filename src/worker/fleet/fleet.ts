// Keeps as many local worker processes as the work asks for (sizing.ts). Workers that others started are left alone.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { WorkerRow, Workers } from '../../ports/workers.ts'
import { type FleetLimits, FleetSizing } from './fleet-sizing.ts'

/** A worker process. */
export interface LocalWorker {
  pid: number
  /** Asks it to finish and end. */
  drain(): void
  /** Resolves with its exit code. */
  ended: Promise<number | null>
}

export interface FleetDependencies {
  workers: Workers
  start(): LocalWorker
  clock: Clock
  log: Log
}

const CHECK_INTERVAL_MS = 2_000
/** A process that ends sooner than this by itself is not replaced at once. */
const SHORT_LIFE_MS = 5_000

export class Fleet {
  readonly #dependencies: FleetDependencies
  readonly #sizing: FleetSizing
  readonly #localWorkers = new Map<LocalWorker, { startedAt: number; isLeaving: boolean }>()
  readonly #stopped = Promise.withResolvers<void>()
  #isOver = false
  #notBefore = 0

  constructor(limits: FleetLimits, dependencies: FleetDependencies) {
    this.#dependencies = dependencies
    this.#sizing = new FleetSizing(limits)
  }

  /** Resolves when it was told to stop and every process has ended. */
  async run(): Promise<void> {
    try {
      while (!this.#isOver) {
        await this.#adjustSize()
        await Promise.race([this.#pause(), this.#stopped.promise])
      }
    } finally {
      for (const localWorker of this.#localWorkers.keys()) localWorker.drain()
      await Promise.all([...this.#localWorkers.keys()].map(({ ended }) => ended))
    }
  }

  stop(): void {
    this.#isOver = true
    this.#stopped.resolve()
  }

  get size(): number {
    let size = 0
    for (const { isLeaving } of this.#localWorkers.values()) if (!isLeaving) size += 1
    return size
  }

  async #adjustSize(): Promise<void> {
    const { workers, log } = this.#dependencies
    const [{ dueHosts }, rows] = await Promise.all([workers.backlog(), workers.list()])
    const size = this.size
    const wanted = this.#sizing.decideSize({ workers: size, dueHosts, cpuPercent: meanCpu(rows) * size })
    if (wanted === size) return
    log(wanted > size ? 'fleet grows' : 'fleet shrinks', { from: size, to: wanted, due_hosts: dueHosts })
    for (let i = size; i < wanted; i++) this.#start()
    for (let i = size; i > wanted; i--) this.#drainYoungest()
  }

  #start(): void {
    const { clock, log, start } = this.#dependencies
    if (this.#isOver || clock.now() < this.#notBefore) return
    const localWorker = start()
    const about = { startedAt: clock.now(), isLeaving: false }
    this.#localWorkers.set(localWorker, about)
    log('worker process started', { pid: localWorker.pid })
    void localWorker.ended.then((code) => {
      this.#localWorkers.delete(localWorker)
      log('worker process ended', { pid: localWorker.pid, code })
      if (!about.isLeaving && clock.now() - about.startedAt < SHORT_LIFE_MS)
        this.#notBefore = clock.now() + SHORT_LIFE_MS
    })
  }

  /** The youngest goes first: it has the least in its caches. */
  #drainYoungest(): void {
    const [hand, about] = [...this.#localWorkers].filter(([, { isLeaving }]) => !isLeaving).at(-1) ?? []
    if (hand === undefined || about === undefined) return
    about.isLeaving = true
    hand.drain()
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#dependencies.clock.after(CHECK_INTERVAL_MS, resolve)
    })
  }
}

/** Of those at work, whoever started them. */
function meanCpu(rows: WorkerRow[]): number {
  const working = rows.filter(({ state }) => state === 'working')
  if (working.length === 0) return 0
  return working.reduce((sum, { figures }) => sum + figures.cpuPercent, 0) / working.length
}
