// Limits over all hosts: requests per second of a crawl and of the process, which threads share through cells of
// memory, and concurrent requests per server address, since many hosts can share a machine.

/** A rate limit shared by all threads that have the cell. */
export interface SharedRate {
  /** Null means no limit. */
  perSecond: number | null
  /** Shared cell from `newRateCell`. */
  cell: SharedArrayBuffer
}

export interface ThrottleSettings {
  rates: readonly SharedRate[]
  perIp: number
}

/** Requests delayed by a late timer may catch up by this much. */
const CATCH_UP_MS = 50

const MICROS = 1000

const NEXT_AT = 0
const PROCESSES = 1

/** A cell with the time of the next request in microseconds, and the number of processes that share the rate. */
export function newRateCell(): SharedArrayBuffer {
  const cell = new SharedArrayBuffer(16)
  divideRate(cell, 1)
  return cell
}

/** Divides the rate by the number of processes; each enforces its share. */
export function divideRate(cell: SharedArrayBuffer, processes: number): void {
  Atomics.store(new BigInt64Array(cell), PROCESSES, BigInt(Math.max(1, processes)))
}

export class Throttle {
  readonly #rates: { stepMicros: bigint; cell: BigInt64Array }[]
  readonly #perIp: number
  readonly #inFlight = new Map<string, number>()

  constructor({ rates, perIp }: ThrottleSettings) {
    this.#rates = rates.flatMap(({ perSecond, cell }) =>
      perSecond === null
        ? []
        : [{ stepMicros: BigInt(Math.ceil(1_000_000 / perSecond)), cell: new BigInt64Array(cell) }],
    )
    this.#perIp = perIp
  }

  /** No request may start before this time. */
  get nextAt(): number {
    let nextAt = 0
    for (const { cell } of this.#rates) nextAt = Math.max(nextAt, Number(Atomics.load(cell, NEXT_AT)) / MICROS)
    return nextAt
  }

  /** `address` is null until it is resolved by the first request. */
  hasRoomFor(address: string | null): boolean {
    return address === null || (this.#inFlight.get(address) ?? 0) < this.#perIp
  }

  beginRequest(address: string | null, now: number): void {
    for (const { stepMicros, cell } of this.#rates) reserve(cell, stepMicros, now)
    if (address !== null) this.#inFlight.set(address, (this.#inFlight.get(address) ?? 0) + 1)
  }

  endRequest(address: string | null): void {
    if (address === null) return
    const left = (this.#inFlight.get(address) ?? 1) - 1
    if (left === 0) this.#inFlight.delete(address)
    else this.#inFlight.set(address, left)
  }
}

/** Two threads that check at the same time may both start a request; the next one then waits for two steps. */
function reserve(cell: BigInt64Array, stepMicros: bigint, now: number): void {
  const earliest = BigInt(now - CATCH_UP_MS) * BigInt(MICROS)
  const step = stepMicros * Atomics.load(cell, PROCESSES)
  for (;;) {
    const seen = Atomics.load(cell, NEXT_AT)
    const next = (seen > earliest ? seen : earliest) + step
    if (Atomics.compareExchange(cell, NEXT_AT, seen, next) === seen) return
  }
}
