// Rules of origins in memory. Bounded by the size of the files, since compiled rules take some twenty times as much.
// When room is needed, those give way that are asked for least, for their size, and are recalled from the store when they
// are needed again. An origin enters and rises from a floor, and the floor rises to what was dropped last, so that what
// nobody asks for any more goes in the end.

import type { CompiledRobots } from './compile-robots.ts'

export type OriginRules =
  | { kind: 'compiled'; robots: CompiledRobots }
  | { kind: 'allow' }
  | { kind: 'unreachable'; problem: string }
  /** The origin has to be asked. */
  | { kind: 'unlearnt' }

export interface CachedRules {
  rules: OriginRules
  expiresAt: number
  /** When the last good answer came; the store has it. */
  goodAt: number | null
  /** Bytes of the file that the rules come from. */
  bytes: number
  sitemaps: string[]
}

const MAX_ORIGINS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
/** So much is left when room is made, which takes a look at all. */
const PART_LEFT = 15 / 16
/** More do not count, so that the floor is never far. */
const MAX_USES = 100
/** What an origin takes besides its file. */
const OVERHEAD_BYTES = 1000

interface RuleCacheEntry {
  known: CachedRules
  uses: number
  rank: number
}

export class RobotsRuleCache {
  readonly #byOrigin = new Map<string, RuleCacheEntry>()
  #bytes = 0
  #floor = 0

  get(origin: string): CachedRules | undefined {
    const entry = this.#byOrigin.get(origin)
    if (entry === undefined) return undefined
    entry.uses += 1
    entry.rank = this.#rankOf(entry.known, entry.uses)
    return entry.known
  }

  set(origin: string, cachedRules: CachedRules): void {
    const uses = this.#byOrigin.get(origin)?.uses ?? 1
    this.#drop(origin)
    this.#makeRoom(cachedRules.bytes)
    this.#byOrigin.set(origin, { known: cachedRules, uses, rank: this.#rankOf(cachedRules, uses) })
    this.#bytes += cachedRules.bytes
  }

  clear(): void {
    this.#byOrigin.clear()
    this.#bytes = 0
  }

  #rankOf({ bytes }: CachedRules, uses: number): number {
    return this.#floor + Math.min(uses, MAX_USES) / (OVERHEAD_BYTES + bytes)
  }

  #makeRoom(bytes: number): void {
    const isFull = this.#byOrigin.size >= MAX_ORIGINS
    const isTooMuch = this.#bytes + bytes > MAX_BYTES
    if (!isFull && !isTooMuch) return
    const maxOrigins = isFull ? MAX_ORIGINS * PART_LEFT : MAX_ORIGINS
    const maxBytes = isTooMuch ? MAX_BYTES * PART_LEFT - bytes : MAX_BYTES
    for (const [origin, { known, rank }] of [...this.#byOrigin].sort(([, a], [, b]) => a.rank - b.rank)) {
      const isCrowded = this.#byOrigin.size > maxOrigins
      if (!isCrowded && this.#bytes <= maxBytes) return
      // One without a file makes no room for a file.
      if (!isCrowded && known.bytes === 0) continue
      this.#drop(origin)
      this.#floor = rank
    }
  }

  #drop(origin: string): void {
    this.#bytes -= this.#byOrigin.get(origin)?.known.bytes ?? 0
    this.#byOrigin.delete(origin)
  }
}
