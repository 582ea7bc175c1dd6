// Beats of the workers, and whoever looks for those that fell silent. The book of leases says what must come of it.

import type { LostWorker, WorkerBeat } from '../../../src/ports/workers.ts'
import { SILENT_MS } from '../../../src/ports/workers.ts'
import type { Desk } from './desk.ts'
import type { LeaseBook } from './lease-book.ts'
import type { Link } from './link.ts'
import type { Process } from './process.ts'
import type { OpenStore } from './stores.ts'
import type { Timeline } from './timeline.ts'

export interface FleetParts {
  timeline: Timeline
  desk: Desk
  book: LeaseBook
  store(): OpenStore
  wallMs(): number
  onEvent(who: string, what: string): void
  onBroken(promise: string, detail: string): void
}

/** Rarer than those of real workers, for each costs a few statements. */
const BEAT_MS = 3000
const LOOK_MS = 1000

const FIGURES: WorkerBeat['figures'] = {
  ...{ cpuPercent: 0, rssBytes: 0, loopDelayMs: 0, requests: 0, answers: 0, bytes: 0, inFlight: 0 },
  ...{ lastAnswerAt: null, recentRequests: 0, recentFailures: 0, held: null, crawls: [] },
}

export class Fleet {
  readonly #parts: FleetParts
  readonly #seenAt = new Map<string, number>()
  readonly #lost = new Set<string>()

  constructor(parts: FleetParts) {
    this.#parts = parts
  }

  /** Until the process ends. */
  beat(process: Process, link: Link): void {
    // A worker that cannot reach the store fails by its other calls.
    link.call('beat', () => this.#heard(process.name)).catch(() => undefined)
    process.clock.after(BEAT_MS, () => this.beat(process, link))
  }

  watch(): void {
    const { timeline, desk } = this.#parts
    desk.serve(() => this.#look())
    timeline.after(LOOK_MS, () => this.watch())
  }

  async #heard(id: string): Promise<void> {
    const { store, wallMs } = this.#parts
    await store().workers.beat({ id, name: id, version: '1', address: null, startedAt: wallMs(), figures: FIGURES })
    this.#seenAt.set(id, wallMs())
    this.#lost.delete(id)
  }

  async #look(): Promise<void> {
    const { store, book, wallMs, onEvent, onBroken } = this.#parts
    const found = await store().workers.takeLost(SILENT_MS)
    const since = wallMs() - SILENT_MS
    const silent = [...this.#seenAt].filter(([id, at]) => !this.#lost.has(id) && at <= since).map(([id]) => id)
    for (const id of silent) this.#lost.add(id)
    if (found.length > 0)
      onEvent('fleet', `has lost ${found.map(({ id, urls }) => `${id} with ${urls} urls`).join(', ')}`)
    if (namesOf(found) !== silent.sort().join()) onBroken('lost workers', `${namesOf(found)} are lost, not ${silent}`)
    for (const id of this.#lost) {
      const { least, most } = book.takenBack(id, since, wallMs())
      const urls = found.find((one) => one.id === id)?.urls
      if (urls !== undefined && (urls < least || urls > most))
        onBroken('lost workers', `${urls} urls of ${id} were taken back, not ${least} to ${most}`)
    }
  }
}

function namesOf(workers: LostWorker[]): string {
  return workers
    .map(({ id }) => id)
    .sort()
    .join()
}
