// The languages of an index, most common first. Cached, because they change slowly.

import type { SearchIndex } from '../../ports/search.ts'

const KEPT_MS = 60_000
const MAX_LANGUAGES = 50

export class IndexLanguages {
  readonly #now: () => number
  #known: { languages: string[]; at: number } | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  async read(index: Pick<SearchIndex, 'status'>): Promise<string[]> {
    const now = this.#now()
    // An empty index fills up soon, so an empty list is never cached.
    const isFresh = this.#known !== null && this.#known.languages.length > 0 && now - this.#known.at < KEPT_MS
    if (this.#known === null || !isFresh) {
      const { byLang } = await index.status()
      this.#known = { languages: byLang.slice(0, MAX_LANGUAGES).map(({ key }) => key), at: now }
    }
    return this.#known.languages
  }
}
