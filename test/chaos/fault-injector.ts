// Strikes and takes the time: how long until the worker is seen as lost, and until others have what it held.

import type { ChaosWorker } from './chaos-worker.ts'
import { type ChaosEnvironment, type ChaosFault, FAULTS, type FaultName } from './faults.ts'
import type { HeldUrl, StoreObserver } from './store-observer.ts'

export interface InjectedFault {
  fault: FaultName
  worker: string | null
  /** On the clock of the request log. */
  at: number
  mendedAt: number
  /** Urls in the hands of the worker when it was struck. */
  held: number
  /** Null: it was not seen as lost while that lasted. */
  detectedMs: number | null
  /** Null: nothing was held, or it was never taken up again. */
  reclaimedMs: number | null
}

/** Beyond this a killed worker counts as never found, and urls as never taken up again. */
const MAX_WAIT_MS = 180_000

export class FaultInjector {
  readonly #environment: ChaosEnvironment
  readonly #observer: StoreObserver
  readonly injected: InjectedFault[] = []
  /** What a fault is at work on: nothing is struck twice at a time. */
  readonly #broken = new Set<ChaosWorker | 'postgres' | 'all'>()
  readonly #active = new Set<Promise<void>>()
  readonly #measuring: Promise<void>[] = []

  constructor(chaosEnvironment: ChaosEnvironment, storeObserver: StoreObserver) {
    this.#environment = chaosEnvironment
    this.#observer = storeObserver
  }

  /** The worker to strike (any, where it is not about one); null when it cannot be done just now, or on this machine. */
  async chooseWorker(name: FaultName): Promise<ChaosWorker | null> {
    const { hands, disk, random } = this.#environment
    const { target }: ChaosFault = FAULTS[name]
    const struck = this.#broken
    if (struck.has('all') || (target === 'all' && struck.size > 0)) return null
    if (target === 'all') return random.pick(hands)
    if (target === 'postgres') return struck.has('postgres') ? null : (hands[0] ?? null)
    if (name === 'diskFull' && disk === null) return null
    // The others have to do its work, so there must be some.
    if (struck.size * 2 >= hands.length) return null
    const free = (target === 'first worker' ? hands.slice(0, 1) : hands).filter(
      (chaosWorker) => !struck.has(chaosWorker),
    )
    if (free.length === 0) return null
    return (await this.#busiest(free)) ?? random.pick(free)
  }

  /** A fault shows most where most is in hand; null when nothing is. */
  async #busiest(hands: ChaosWorker[]): Promise<ChaosWorker | null> {
    let [busiest, most]: [ChaosWorker | null, number] = [null, 0]
    for (const chaosWorker of hands) {
      const { length } = await this.#observer.listHeldUrls([await chaosWorker.workerId])
      if (length > most) [busiest, most] = [chaosWorker, length]
    }
    return busiest
  }

  inject(name: FaultName, chaosWorker: ChaosWorker): void {
    const { target }: ChaosFault = FAULTS[name]
    const struck = targetsOneWorker(name) ? chaosWorker : target === 'all' ? 'all' : 'postgres'
    this.#broken.add(struck)
    const done = this.#run(name, chaosWorker).finally(() => {
      this.#broken.delete(struck)
      this.#active.delete(done)
    })
    this.#active.add(done)
  }

  /** Resolves when nothing is broken any more. */
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
    const about = { fault: name, worker: isOne ? chaosWorker.name : null, at, mendedAt: at, held: held.length }
    const injectedFault: InjectedFault = { ...about, detectedMs: null, reclaimedMs: null }
    this.injected.push(injectedFault)
    const over = new AbortController()
    // A killed worker does not come back; one that is mended makes itself heard again.
    const lostBy = name === 'kill' ? AbortSignal.timeout(MAX_WAIT_MS) : over.signal
    if (chaosFault.isLong)
      this.#measuring.push(this.#measureDetection(injectedFault, id, lostBy), this.#measureReclaim(injectedFault, held))
    await chaosFault.inject(this.#environment, chaosWorker)
    over.abort()
    injectedFault.mendedAt = performance.now()
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

/** One worker, and not all at a time. */
export function targetsOneWorker(name: FaultName): boolean {
  const { target }: ChaosFault = FAULTS[name]
  return target === 'worker' || target === 'first worker'
}

/** Null when it did not happen in time. */
async function measureSince(at: number, event: Promise<void>, limit: AbortSignal): Promise<number | null> {
  try {
    await event
    return performance.now() - at
  } catch (error) {
    if (limit.aborted) return null
    throw error
  }
}
