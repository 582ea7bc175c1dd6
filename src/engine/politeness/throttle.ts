// Limits over all hosts: requests a second, which all threads of a crawl share by a cell of memory, and requests at a
// time to one server address, since many hosts can share a machine.

export interface ThrottleSettings {
  /** Requests a second; null: no limit. */
  maxRate: number | null
  perIp: number
  /** One for all threads of a crawl; see newRateCell. */
  rateCell: SharedArrayBuffer
}

/** A timer that fires late may be made up for by so much. */
const CATCH_UP_MS = 50

const MICROS = 1000

const NEXT_AT = 0
const PROCESSES = 1

/** When the next request may start, in microseconds, and how many processes share the rate. */
export function newRateCell(): SharedArrayBuffer {
  const cell = new SharedArrayBuffer(16)
  shareRate(cell, 1)
  return cell
}

/** Each process keeps its part of the rate. */
export function shareRate(rateCell: SharedArrayBuffer, processes: number): void {
  Atomics.store(new BigInt64Array(rateCell), PROCESSES, BigInt(Math.max(1, processes)))
}

export class Throttle {
  readonly #intervalMicros: bigint
  readonly #cell: BigInt64Array
  readonly #perIp: number
  readonly #underWay = new Map<string, number>()

  constructor(settings: ThrottleSettings) {
    this.#intervalMicros = settings.maxRate === null ? 0n : BigInt(Math.ceil(1_000_000 / settings.maxRate))
    this.#cell = new BigInt64Array(settings.rateCell)
    this.#perIp = settings.perIp
  }

  /** No request may start before this. */
  get nextAt(): number {
    return this.#intervalMicros === 0n ? 0 : Number(Atomics.load(this.#cell, NEXT_AT)) / MICROS
  }

  /** `address` is null while nobody knows it: the first request to a name finds out. */
  hasRoom(address: string | null): boolean {
    return address === null || (this.#underWay.get(address) ?? 0) < this.#perIp
  }

  begin(address: string | null, now: number): void {
    if (this.#intervalMicros > 0n) this.#reserve(now)
    if (address !== null) this.#underWay.set(address, (this.#underWay.get(address) ?? 0) + 1)
  }

  /** Two threads that look at the same time may both start; the time of the next is then two steps on. */
  #reserve(now: number): void {
    const earliest = BigInt(now - CATCH_UP_MS) * BigInt(MICROS)
    const step = this.#intervalMicros * Atomics.load(this.#cell, PROCESSES)
    for (;;) {
      const seen = Atomics.load(this.#cell, NEXT_AT)
      const next = (seen > earliest ? seen : earliest) + step
      if (Atomics.compareExchange(this.#cell, NEXT_AT, seen, next) === seen) return
    }
  }

  end(address: string | null): void {
    if (address === null) return
    const left = (this.#underWay.get(address) ?? 1) - 1
    if (left === 0) this.#underWay.delete(address)
    else this.#underWay.set(address, left)
  }
}
