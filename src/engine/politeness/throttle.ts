// Limits over all hosts of a crawl thread: requests a second, and requests at a time to one server address, since many
// hosts can share a machine.

export interface ThrottleSettings {
  /** Requests a second; null: no limit. */
  maxRate: number | null
  perIp: number
}

/** A timer that fires late may be made up for by so much. */
const CATCH_UP_MS = 50

export class Throttle {
  readonly #intervalMs: number
  readonly #perIp: number
  readonly #underWay = new Map<string, number>()
  #nextAt = 0

  constructor(settings: ThrottleSettings) {
    this.#intervalMs = settings.maxRate === null ? 0 : 1000 / settings.maxRate
    this.#perIp = settings.perIp
  }

  /** No request may start before this. */
  get nextAt(): number {
    return this.#nextAt
  }

  /** `address` is null while nobody knows it: the first request to a name finds out. */
  hasRoom(address: string | null): boolean {
    return address === null || (this.#underWay.get(address) ?? 0) < this.#perIp
  }

  begin(address: string | null, now: number): void {
    if (this.#intervalMs > 0) this.#nextAt = Math.max(this.#nextAt, now - CATCH_UP_MS) + this.#intervalMs
    if (address !== null) this.#underWay.set(address, (this.#underWay.get(address) ?? 0) + 1)
  }

  end(address: string | null): void {
    if (address === null) return
    const left = (this.#underWay.get(address) ?? 1) - 1
    if (left === 0) this.#underWay.delete(address)
    else this.#underWay.set(address, left)
  }
}
