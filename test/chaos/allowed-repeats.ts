// URLs that may be fetched twice: URLs held by a worker during a fault, or leased so soon after it that their reports
// may be late as well, and URLs under a lease that was renewed late, because the machine is too slow for the lease. A
// worker aborts its requests before such a lease expires. Polled repeatedly, because workers keep leasing in the
// meantime.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosWorker } from './chaos-worker.ts'
import type { StoreObserver } from './store-observer.ts'

const POLL_MS = 200
/** A lease is renewed when a third of its time has passed. */
const LATE_FRACTION = 1 / 2

export class AllowedRepeats {
  readonly duringFaults = new Set<string>()
  readonly underLateLeases = new Set<string>()
  /** For each worker id: its number of faults, and until when it is watched after the last one. */
  readonly #workers = new Map<string, { faults: number; until: number }>()
  readonly #observer: StoreObserver
  readonly #leaseMs: number
  #lastPollAt = performance.now()
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>

  constructor(storeObserver: StoreObserver, leaseMs: number) {
    this.#observer = storeObserver
    this.#leaseMs = leaseMs
    this.#done = this.#run()
  }

  /** Watches the workers until the returned function is called at the end of the fault, and for `settleMs` after it. */
  async watch(chaosWorkers: ChaosWorker[], settleMs: number): Promise<() => void> {
    const ids = await Promise.all(chaosWorkers.map(({ workerId }) => workerId))
    this.#count(ids, 1, 0)
    await this.#collectDuringFaults()
    return () => this.#count(ids, -1, performance.now() + settleMs)
  }

  #count(ids: string[], change: 1 | -1, until: number): void {
    for (const id of ids) {
      const watched = this.#workers.get(id) ?? { faults: 0, until: 0 }
      this.#workers.set(id, { faults: watched.faults + change, until: Math.max(watched.until, until) })
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#collectDuringFaults()
      await this.#collectUnderLateLeases()
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #collectDuringFaults(): Promise<void> {
    const now = performance.now()
    for (const [id, { faults, until }] of this.#workers) if (faults === 0 && until < now) this.#workers.delete(id)
    for (const { url } of await this.#observer.listHeldUrls([...this.#workers.keys()])) this.duringFaults.add(url)
  }

  /** If this process was late itself, leases may have been late without being seen. */
  async #collectUnderLateLeases(): Promise<void> {
    const lateMs = this.#leaseMs * LATE_FRACTION
    const isLate = performance.now() - this.#lastPollAt > lateMs
    const urls = await this.#observer.listUrlsExpiringWithin(isLate ? this.#leaseMs : this.#leaseMs - lateMs)
    for (const url of urls) this.underLateLeases.add(url)
    this.#lastPollAt = performance.now()
  }
}
