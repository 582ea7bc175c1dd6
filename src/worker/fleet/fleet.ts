// Runs as many local worker processes as the backlog needs (fleet-sizing.ts). Workers started elsewhere are not
// touched.

import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { StopSignal } from '../../lib/stop-signal.ts'
import type { WorkerRow, Workers } from '../../ports/workers.ts'
import { type FleetLimits, FleetSizing } from './fleet-sizing.ts'

/** A worker process started by this process. */
export interface LocalWorker {
  pid: number
  /** Asks the process to finish and exit. */
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
/** A process that exits by itself sooner than this is not replaced at once. */
const SHORT_LIFE_MS = 5_000

export class Fleet {
  readonly #dependencies: FleetDependencies
  readonly #sizing: FleetSizing
  readonly #localWorkers = new Map<LocalWorker, { startedAt: number; isLeaving: boolean }>()
  readonly #stopSignal = new StopSignal()
  #notBefore = 0

  constructor(limits: FleetLimits, dependencies: FleetDependencies) {
    this.#dependencies = dependencies
    this.#sizing = new FleetSizing(limits)
  }

  /** Resolves after `stop`, when every process has exited. */
  async run(): Promise<void> {
    try {
      while (!this.#stopSignal.isStopped) {
        await this.#adjustSize()
        await this.#stopSignal.sleep(CHECK_INTERVAL_MS, this.#dependencies.clock)
      }
    } finally {
      for (const localWorker of this.#localWorkers.keys()) localWorker.drain()
      await Promise.all([...this.#localWorkers.keys()].map(({ ended }) => ended))
    }
  }

  stop(): void {
    this.#stopSignal.stop()
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
    if (this.#stopSignal.isStopped || clock.now() < this.#notBefore) return
    const localWorker = start()
    const state = { startedAt: clock.now(), isLeaving: false }
    this.#localWorkers.set(localWorker, state)
    log('worker process started', { pid: localWorker.pid })
    void localWorker.ended.then((code) => {
      this.#localWorkers.delete(localWorker)
      log('worker process ended', { pid: localWorker.pid, code })
      if (!state.isLeaving && clock.now() - state.startedAt < SHORT_LIFE_MS)
        this.#notBefore = clock.now() + SHORT_LIFE_MS
    })
  }

  /** The youngest has the coldest caches. */
  #drainYoungest(): void {
    const [localWorker, state] = [...this.#localWorkers].filter(([, { isLeaving }]) => !isLeaving).at(-1) ?? []
    if (localWorker === undefined || state === undefined) return
    state.isLeaving = true
    localWorker.drain()
  }
}

/** Mean over all active workers, including workers started elsewhere. */
function meanCpu(rows: WorkerRow[]): number {
  const working = rows.filter(({ state }) => state === 'working')
  if (working.length === 0) return 0
  return working.reduce((sum, { figures }) => sum + figures.cpuPercent, 0) / working.length
}
