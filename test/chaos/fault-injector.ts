// Injects faults and measures how long it takes until the worker is seen as lost, and until others have reclaimed its
// URLs.

import type { ChaosWorker } from './chaos-worker.ts'
import { type ChaosEnvironment, type ChaosFault, ENDS_PROCESS, FAULTS, type FaultName } from './faults.ts'
import type { HeldUrl, StoreObserver } from './store-observer.ts'

export interface InjectedFault {
  fault: FaultName
  worker: string | null
  /** Time on the clock of the request log. */
  at: number
  repairedAt: number
  /** URLs that the worker held when the fault was injected. */
  held: number
  /** Null if the worker was not seen as lost during the fault. */
  detectedMs: number | null
  /** Null if nothing was held, or if it was never reclaimed. */
  reclaimedMs: number | null
}

/** After this time, a killed worker counts as never detected and URLs as never reclaimed. */
const MAX_WAIT_MS = 180_000

export class FaultInjector {
  readonly #environment: ChaosEnvironment
  readonly #observer: StoreObserver
  readonly injected: InjectedFault[] = []
  /** Targets of current faults; nothing gets two faults at a time. */
  readonly #broken = new Set<ChaosWorker | 'postgres' | 'all'>()
  readonly #active = new Set<Promise<void>>()
  readonly #measuring: Promise<void>[] = []

  constructor(chaosEnvironment: ChaosEnvironment, storeObserver: StoreObserver) {
    this.#environment = chaosEnvironment
    this.#observer = storeObserver
  }

  /**
   * Returns the worker to break (any, if the fault concerns all); null if the fault is not possible now or on this
   * machine.
   */
  async chooseWorker(name: FaultName): Promise<ChaosWorker | null> {
    const { workers, disk, canLimitMemory, random } = this.#environment
    const { target }: ChaosFault = FAULTS[name]
    const broken = this.#broken
    if (broken.has('all') || (target === 'all' && broken.size > 0)) return null
    if (target === 'all') return random.pick(workers)
    if (target === 'postgres') return broken.has('postgres') ? null : (workers[0] ?? null)
    if (name === 'diskFull' && disk === null) return null
    if (name === 'memory' && !canLimitMemory) return null
    // Others must take over its work, so at most half of the workers are broken at a time.
    if (broken.size * 2 >= workers.length) return null
    const free = (target === 'first worker' ? workers.slice(0, 1) : workers).filter(
      (chaosWorker) => !broken.has(chaosWorker),
    )
    if (free.length === 0) return null
    return (await this.#busiest(free)) ?? random.pick(free)
  }

  /** The worker that holds the most URLs, where a fault shows most; null if none holds any. */
  async #busiest(workers: ChaosWorker[]): Promise<ChaosWorker | null> {
    let [busiest, most]: [ChaosWorker | null, number] = [null, 0]
    for (const chaosWorker of workers) {
      const { length } = await this.#observer.listHeldUrls([await chaosWorker.workerId])
      if (length > most) [busiest, most] = [chaosWorker, length]
    }
    return busiest
  }

  /** Resolves when the cause is removed. */
  inject(name: FaultName, chaosWorker: ChaosWorker): Promise<void> {
    const { target }: ChaosFault = FAULTS[name]
    const broken = targetsOneWorker(name) ? chaosWorker : target === 'all' ? 'all' : 'postgres'
    this.#broken.add(broken)
    const done = this.#run(name, chaosWorker).finally(() => {
      this.#broken.delete(broken)
      this.#active.delete(done)
    })
    this.#active.add(done)
    return done
  }

  /** Resolves when no fault is active. */
  async waitUntilRepaired(): Promise<void> {
    await Promise.all(this.#active)
  }

  async waitUntilMeasured(): Promise<void> {
    await Promise.all(this.#measuring)
  }

  async #run(name: FaultName, chaosWorker: ChaosWorker): Promise<void> {
    const chaosFault: ChaosFault = FAULTS[name]
    const isOne = targetsOneWorker(name)
    const id = await chaosWorker.workerId
    const held = isOne ? await this.#observer.listHeldUrls([id]) : []
    const at = performance.now()
    const about = { fault: name, worker: isOne ? chaosWorker.name : null, at, repairedAt: at, held: held.length }
    const injectedFault: InjectedFault = { ...about, detectedMs: null, reclaimedMs: null }
    this.injected.push(injectedFault)
    const over = new AbortController()
    // A killed worker does not return; a repaired one sends heartbeats again.
    const lostBy = ENDS_PROCESS.includes(name) ? AbortSignal.timeout(MAX_WAIT_MS) : over.signal
    if (chaosFault.isLong)
      this.#measuring.push(this.#measureDetection(injectedFault, id, lostBy), this.#measureReclaim(injectedFault, held))
    await chaosFault.inject(this.#environment, chaosWorker)
    over.abort()
    injectedFault.repairedAt = performance.now()
  }

  async #measureDetection(injectedFault: InjectedFault, id: string, limit: AbortSignal): Promise<void> {
    injectedFault.detectedMs = await measureSince(
      injectedFault.at,
      this.#observer.waitForWorkerState(id, 'lost', limit),
      limit,
    )
  }

  async #measureReclaim(injectedFault: InjectedFault, held: HeldUrl[]): Promise<void> {
    if (held.length === 0) return
    const limit = AbortSignal.timeout(MAX_WAIT_MS)
    injectedFault.reclaimedMs = await measureSince(
      injectedFault.at,
      this.#observer.waitUntilReclaimed(held, limit),
      limit,
    )
  }
}

/** Whether the fault affects one worker rather than all. */
export function targetsOneWorker(name: FaultName): boolean {
  const { target }: ChaosFault = FAULTS[name]
  return target === 'worker' || target === 'first worker'
}

/** Null if the event did not happen in time. */
async function measureSince(at: number, event: Promise<void>, limit: AbortSignal): Promise<number | null> {
  try {
    await event
    return performance.now() - at
  } catch (error) {
    if (limit.aborted) return null
    throw error
  }
}
