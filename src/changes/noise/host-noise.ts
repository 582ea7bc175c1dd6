// Learns what always changes on a host, such as a counter of visitors: a shape of lines, or a place between two lines,
// that is different at every visit, on several pages. Content that stayed the same at some visit and changed at
// another is news.

interface KeyCounts {
  /** Changes that were found at consecutive visits, and others. */
  repeated: number
  other: number
  /** URLs on which it changed, about. */
  urls: number
  lastUrl: number
}

/** Minimum of changes: of a shape on several pages, of a shape on one page, and of a place. */
const MIN_CHANGES = 3
const MIN_CHANGES_ALONE = 8
const MIN_PLACE_CHANGES = 6
const MIN_PLACE_URLS = 3
/** Share of changes after a visit without one, above which the changes are news. */
const MAX_OTHER_SHARE = 0.1
const MAX_KEYS = 400
const KEPT_KEYS = 200
const MAX_COUNT = 1000

export class HostNoise {
  readonly #counts: Map<string, KeyCounts>

  constructor(json: string | null) {
    const stored = json === null ? [] : (JSON.parse(json) as [string, number, number, number, number][])
    this.#counts = new Map(
      stored.map(([key, repeated, other, urls, lastUrl]) => [key, { repeated, other, urls, lastUrl }]),
    )
  }

  /** Numbers in lines of this shape always change. */
  isNoisyShape(key: string): boolean {
    return this.#changesAlways(key, ({ urls }) => (urls > 1 ? MIN_CHANGES : MIN_CHANGES_ALONE))
  }

  /** The lines in this place are always others. */
  isNoisyPlace(key: string): boolean {
    return this.#changesAlways(key, ({ urls }) => (urls < MIN_PLACE_URLS ? MAX_COUNT + 1 : MIN_PLACE_CHANGES))
  }

  #changesAlways(key: string, minChanges: (counts: KeyCounts) => number): boolean {
    const counts = this.#counts.get(key)
    if (counts === undefined) return false
    return counts.repeated >= minChanges(counts) && counts.other <= counts.repeated * MAX_OTHER_SHARE
  }

  /** It changed on this URL. `isRepeated`: the visit before found a change too. */
  observe(key: string, urlId: number, isRepeated: boolean): void {
    const counts = this.#counts.get(key) ?? { repeated: 0, other: 0, urls: 0, lastUrl: 0 }
    if (counts.lastUrl !== urlId) counts.urls = Math.min(MAX_COUNT, counts.urls + 1)
    counts.lastUrl = urlId
    if (isRepeated) counts.repeated = Math.min(MAX_COUNT, counts.repeated + 1)
    else counts.other = Math.min(MAX_COUNT, counts.other + 1)
    // Moves it to the end: the keys at the start were not seen for the longest time.
    this.#counts.delete(key)
    this.#counts.set(key, counts)
    if (this.#counts.size > MAX_KEYS) this.#prune()
  }

  toJson(): string {
    return JSON.stringify(
      Array.from(this.#counts, ([key, { repeated, other, urls, lastUrl }]) => [key, repeated, other, urls, lastUrl]),
    )
  }

  #prune(): void {
    let surplus = this.#counts.size - KEPT_KEYS
    for (const key of this.#counts.keys()) {
      if (surplus === 0) return
      if (this.isNoisyShape(key)) continue
      this.#counts.delete(key)
      surplus -= 1
    }
    for (const key of this.#counts.keys()) {
      if (surplus === 0) return
      this.#counts.delete(key)
      surplus -= 1
    }
  }
}
