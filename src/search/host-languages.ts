// The main language of a host. If the text of a page leaves several languages open, the page is taken to be in the
// language of most pages of its host, so that a short English page of an English site is not stemmed as Romanian. Each
// page counts with the language that its own text shows, so the result does not depend on the order of pages; pages
// that were indexed before the main language changed are indexed again.

/** Documents per language. */
export type LanguageCounts = ReadonlyMap<string, number>

/** The counts of one host. */
export class LanguageCounter {
  readonly #counts: Map<string, number>

  constructor(known: LanguageCounts = new Map()) {
    this.#counts = new Map(known)
  }

  get counts(): LanguageCounts {
    return this.#counts
  }

  get main(): string | null {
    return mainLanguage(this.#counts)
  }

  /** Adds a document. Null (unknown) is not counted. */
  add(lang: string | null): void {
    if (lang !== null) this.#counts.set(lang, (this.#counts.get(lang) ?? 0) + 1)
  }

  /** Removes a document that was added before. */
  remove(lang: string | null): void {
    if (lang === null) return
    const left = (this.#counts.get(lang) ?? 0) - 1
    if (left > 0) this.#counts.set(lang, left)
    else this.#counts.delete(lang)
  }
}

/** The language of more than half of the pages; null if there is none. */
export function mainLanguage(counts: LanguageCounts): string | null {
  let total = 0
  for (const count of counts.values()) total += count
  for (const [lang, count] of counts) if (count > total / 2) return lang
  return null
}

export interface DocumentLanguage {
  lang: string | null
  /** Null if the page itself states its language. */
  possibleLangs: readonly string[] | null
}

/** `possible` is as in IndexDocument; `main` is the main language of the host. */
export function chooseLanguage(possible: readonly string[], main: string | null): string | null {
  if (main !== null && (possible.length === 0 || possible.includes(main))) return main
  return possible[0] ?? null
}

/** The language that the page itself states; counted towards the main language of its host. */
export function ownLanguage({ lang, possibleLangs }: DocumentLanguage): string | null {
  return possibleLangs === null ? lang : (possibleLangs[0] ?? null)
}

/** Whether the document has to be indexed again. */
export function hasOtherLanguage({ lang, possibleLangs }: DocumentLanguage, main: string | null): boolean {
  return possibleLangs !== null && lang !== chooseLanguage(possibleLangs, main)
}

export function packLanguageCounts(counts: LanguageCounts): string {
  return JSON.stringify(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))))
}

export function unpackLanguageCounts(packed: string): LanguageCounts {
  return new Map(Object.entries(JSON.parse(packed) as Record<string, number>))
}
