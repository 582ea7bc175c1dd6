// Rules of origins in memory. Bounded by the size of the files, since compiled rules take some twenty times as much. Of
// the oldest few the one asked for least gives way, and is recalled from the store when it is needed again.

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
const SAMPLE = 8

interface Entry {
  known: Known
  uses: number
}

export class KnownRules {
  readonly #byOrigin = new Map<string, Entry>()
  #bytes = 0

  get(origin: string): Known | undefined {
    const entry = this.#byOrigin.get(origin)
    if (entry === undefined) return undefined
    entry.uses += 1
    return entry.known
  }

  set(origin: string, known: Known): void {
    const uses = this.#byOrigin.get(origin)?.uses ?? 0
    this.#drop(origin)
    while (this.#byOrigin.size > 0 && (this.#byOrigin.size >= MAX_ORIGINS || this.#bytes + known.bytes > MAX_BYTES)) {
      this.#dropLeastUsed()
    }
    this.#byOrigin.set(origin, { known, uses })
    this.#bytes += known.bytes
  }

  clear(): void {
    this.#byOrigin.clear()
    this.#bytes = 0
  }

  /** Those that are spared are young again, with half their uses: what all wanted long ago goes in the end. */
  #dropLeastUsed(): void {
    const oldest = this.#byOrigin.entries().take(SAMPLE).toArray()
    const [least] = oldest.reduce((a, b) => (b[1].uses < a[1].uses ? b : a))
    this.#drop(least)
    for (const [origin, { known, uses }] of oldest) {
      if (origin === least) continue
      this.#byOrigin.delete(origin)
      this.#byOrigin.set(origin, { known, uses: uses >> 1 })
    }
  }

  #drop(origin: string): void {
    this.#bytes -= this.#byOrigin.get(origin)?.known.bytes ?? 0
    this.#byOrigin.delete(origin)
  }
}
