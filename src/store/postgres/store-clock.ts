// The clock of the database is authoritative. Workers use their own clocks, which may be wrong, so times are converted
// relative to a moment that both clocks have measured. The time between the two measurements makes a converted time later, never earlier.

import { MAX_PAUSE_MS } from '../../frontier/next-request.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Queryable } from './query.ts'

/** The same moment on both clocks, in ms since 1970. */
export interface ClockPair {
  store: number
  worker: number
}

const NOW = { name: 'now', text: 'select now_ms($1) as now' }

export class StoreClock {
  readonly #clock: Clock
  readonly #isVirtual: boolean

  /** A virtual clock replaces the clock of the database. */
  constructor(clock: Clock, isVirtual: boolean) {
    this.#clock = clock
    this.#isVirtual = isVirtual
  }

  /** The argument of now_ms() in statements. */
  get virtualNow(): number | null {
    return this.#isVirtual ? this.#clock.now() : null
  }

  workerNow(): number {
    return this.#clock.now()
  }

  /** The authoritative time. */
  async now(db: Queryable): Promise<number> {
    const [row] = (await db.query({ ...NOW, values: [this.virtualNow] })).rows
    return Number(row?.['now'])
  }
}

/** Zero means no time, on both sides. */
export function toStoreTime(at: number, clockPair: ClockPair): number {
  if (at <= 0) return 0
  return Math.max(0, Math.round(clockPair.store + Math.min(at - clockPair.worker, MAX_PAUSE_MS)))
}

export function toWorkerTime(at: number, clockPair: ClockPair): number {
  return at <= 0 ? 0 : clockPair.worker + (at - clockPair.store)
}
