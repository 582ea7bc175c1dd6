// Urls that may rightly be fetched twice: those in the hands of a worker while it was struck, or so soon after that what
// it then leased may have been refused as well. Looked up again and again, for workers go on leasing under most faults.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Hand } from './hand.ts'
import type { Witness } from './witness.ts'

const LOOK_MS = 200

export class Suspects {
  readonly urls = new Set<string>()
  /** Ids of workers and until when they are looked at. */
  readonly #workers = new Map<string, number>()
  readonly #witness: Witness
  readonly #over = new AbortController()
  readonly #done: Promise<void>

  constructor(witness: Witness) {
    this.#witness = witness
    this.#done = this.#run()
  }

  async watch(hand: Hand, untilMs: number): Promise<void> {
    const id = await hand.id
    this.#workers.set(id, Math.max(this.#workers.get(id) ?? 0, performance.now() + untilMs))
    await this.#look()
  }

  async close(): Promise<void> {
    this.#over.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      await this.#look()
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  async #look(): Promise<void> {
    const now = performance.now()
    for (const [id, until] of this.#workers) if (until < now) this.#workers.delete(id)
    for (const { url } of await this.#witness.held([...this.#workers.keys()])) this.urls.add(url)
  }
}
