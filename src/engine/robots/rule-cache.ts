// Caches the rules of origins. Bounded by file size, since compiled rules take about twenty times as much. The least
// used ones, relative to their size, are evicted and loaded from the store again when needed. An origin enters and
// rises from a floor, and the floor rises to the priority of the last evicted one, so that unused entries are evicted
// eventually.

import type { CompiledRobots } from './compile-robots.ts'

export type OriginRules =
  | { kind: 'compiled'; robots: CompiledRobots }
  | { kind: 'allow' }
  | { kind: 'unreachable'; problem: string }
  /** The rules have to be fetched. */
  | { kind: 'not_fetched' }

export interface CachedRules {
  rules: OriginRules
  expiresAt: number
  /** Time of the last good response, which the store has. */
  goodAt: number | null
  /** Size of the file that the rules come from. */
  bytes: number
  sitemaps: string[]
}

const MAX_ORIGINS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
/** Share of entries kept by an eviction, which scans all of them. */
const KEPT_SHARE = 15 / 16
/** Further uses are not counted, so that no entry is far above the floor. */
const MAX_USES = 100
/** Memory per origin besides its file. */
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
    const maxOrigins = isFull ? MAX_ORIGINS * KEPT_SHARE : MAX_ORIGINS
    const maxBytes = isTooMuch ? MAX_BYTES * KEPT_SHARE - bytes : MAX_BYTES
    for (const [origin, { known, rank }] of [...this.#byOrigin].sort(([, a], [, b]) => a.rank - b.rank)) {
      const isCrowded = this.#byOrigin.size > maxOrigins
      if (!isCrowded && this.#bytes <= maxBytes) return
      // An entry without a file frees no file bytes.
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
