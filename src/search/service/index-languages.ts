// The languages of an index, most common first, and the language of most of its pages. Cached, because they change
// slowly.

import type { FacetCount, SearchIndex } from '../../ports/search.ts'
import type { IndexedLanguages } from '../query/foreign-stems.ts'

const KEPT_MS = 60_000
const MAX_LANGUAGES = 50

export class IndexLanguages {
  readonly #now: () => number
  #known: (IndexedLanguages & { main: string | null; at: number }) | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  async read(index: Pick<SearchIndex, 'status'>): Promise<IndexedLanguages & { main: string | null }> {
    const now = this.#now()
    // An empty index fills up soon, so an empty list is never cached.
    const isFresh = this.#known !== null && this.#known.languages.length > 0 && now - this.#known.at < KEPT_MS
    if (this.#known === null || !isFresh) {
      const { byLang } = await index.status()
      const common = byLang.slice(0, MAX_LANGUAGES)
      const pages = new Map(common.map(({ key, count }) => [key, count]))
      this.#known = { languages: [...pages.keys()], pages, main: findMain(byLang), at: now }
    }
    return this.#known
  }
}

/** Null if no language has more than half of the pages. */
function findMain(byLang: readonly FacetCount[]): string | null {
  const all = byLang.reduce((sum, { count }) => sum + count, 0)
  return byLang.find(({ count }) => 2 * count > all)?.key ?? null
}
