// URLs that may be fetched twice: those held by a worker during a fault, or leased so soon after it that their reports
// may be late as well. Polled repeatedly, because workers keep leasing during most faults.

import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosWorker } from './chaos-worker.ts'
import type { StoreObserver } from './store-observer.ts'

const POLL_MS = 200

export class AllowedRepeats {
  readonly urls = new Set<string>()
  /** Worker id to the time until which it is watched. */
  readonly #workers = new Map<string, number>()
  readonly #observer: StoreObserver
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>

  constructor(storeObserver: StoreObserver) {
    this.#observer = storeObserver
    this.#done = this.#run()
  }

  async watch(chaosWorker: ChaosWorker, untilMs: number): Promise<void> {
    const id = await chaosWorker.workerId
    this.#workers.set(id, Math.max(this.#workers.get(id) ?? 0, performance.now() + untilMs))
    await this.#collect()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#collect()
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #collect(): Promise<void> {
    const now = performance.now()
    for (const [id, until] of this.#workers) if (until < now) this.#workers.delete(id)
    for (const { url } of await this.#observer.listHeldUrls([...this.#workers.keys()])) this.urls.add(url)
  }
}
