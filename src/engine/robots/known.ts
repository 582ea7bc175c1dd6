// Rules of origins in memory. Bounded by the size of the files, since compiled rules take some twenty times as much;
// the oldest give way, and are recalled from the store when they are needed again.

import type { CompiledRobots } from './match.ts'

export type Rules =
  | { kind: 'compiled'; robots: CompiledRobots }
  | { kind: 'allow' }
  | { kind: 'unreachable'; problem: string }
  /** The origin has to be asked. */
  | { kind: 'unlearnt' }

export interface Known {
  rules: Rules
  expiresAt: number
  /** When the last good answer came; the store has it. */
  goodAt: number | null
  /** Bytes of the file that the rules come from. */
  bytes: number
  sitemaps: string[]
}

const MAX_ORIGINS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

export class KnownRules {
  readonly #byOrigin = new Map<string, Known>()
  #bytes = 0

  get(origin: string): Known | undefined {
    return this.#byOrigin.get(origin)
  }

  set(origin: string, known: Known): void {
    this.#drop(origin)
    this.#byOrigin.set(origin, known)
    this.#bytes += known.bytes
    for (const oldest of this.#byOrigin.keys()) {
      if (this.#byOrigin.size <= MAX_ORIGINS && this.#bytes <= MAX_BYTES) return
      if (oldest !== origin) this.#drop(oldest)
    }
  }

  clear(): void {
    this.#byOrigin.clear()
    this.#bytes = 0
  }

  #drop(origin: string): void {
    this.#bytes -= this.#byOrigin.get(origin)?.bytes ?? 0
    this.#byOrigin.delete(origin)
  }
}
