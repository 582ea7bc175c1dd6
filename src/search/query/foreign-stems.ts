// Finds stems of a query's words that would match pages in other languages. The index does not store the language of a
// stem: the French stem of "fore" is "for", which every English page has. If far more pages have a stem than there are
// pages in its language, it is a word of other languages, and the query omits it, unless the query is clearly in that
// language: "instalar" has the stem of "install", and Spanish pages have no other term for it. In the language of the
// reader, it is used if the index has no other form of the word.

import { MAX_PHRASE_COUNT } from '../../ports/search.ts'
import { lookUpIndexTerm } from '../analyse/index-terms.ts'
import { candidateLanguages } from './languages-by-script.ts'

/** Index languages, most common first, and their numbers of pages. */
export interface IndexedLanguages {
  languages: readonly string[]
  pages: ReadonlyMap<string, number>
}

export interface QueryLanguages extends IndexedLanguages {
  /** The language of the query if it is clear: see query-stop-words.ts. */
  queryLang: string | null
  /** The language of the person who searches, if it is known. */
  readerLang: string | null
}

/** Words and stems, as `foreignKey` joins them. */
export type ForeignStems = ReadonlySet<string>

export const NO_FOREIGN_STEMS: ForeignStems = new Set()

export function foreignKey(word: string, stem: string): string {
  return `${word} ${stem}`
}

/** Twice as many, because languages share words. */
const MAX_RATIO = 2
/** A stem on so few pages does little harm, and a language may have only one or two pages. */
const MIN_PAGES = 10

/** Document counts of terms: counts known so far, up to MAX_PHRASE_COUNT, and more on demand. */
export interface TermCounts {
  known: (term: string) => number
  countUpTo: (terms: readonly string[], max: number) => Promise<number[]>
}

export async function findForeignStems(
  words: readonly string[],
  languages: QueryLanguages,
  counts: TermCounts,
): Promise<string[]> {
  const { queryLang, readerLang } = languages
  const isQueryLangStem = ({ word, stem }: LimitedStem) =>
    queryLang !== null && stem === lookUpIndexTerm(word, queryLang)
  const limited = words.flatMap((word) => limitedStems(word, languages)).filter((stem) => !isQueryLangStem(stem))
  const foreign = limited.filter(({ stem, max }) => counts.known(stem) > max)
  const common = limited.filter(({ stem, max }) => max >= MAX_PHRASE_COUNT && counts.known(stem) >= MAX_PHRASE_COUNT)
  if (common.length > 0) {
    const max = Math.max(...common.map((one) => one.max)) + 1
    const many = await counts.countUpTo(
      common.map(({ stem }) => stem),
      max,
    )
    foreign.push(...common.filter((one, i) => (many[i] ?? 0) > one.max))
  }
  // Without it, the word of a reader would not be found at all.
  const isOnlyForm = ({ word, stem }: LimitedStem) =>
    readerLang !== null &&
    stem === lookUpIndexTerm(word, readerLang) &&
    candidateLanguages(word, languages.languages).every((lang) => {
      const term = lookUpIndexTerm(word, lang)
      return term === stem || counts.known(term) === 0
    })
  return foreign.filter((stem) => !isOnlyForm(stem)).map(({ word, stem }) => foreignKey(word, stem))
}

interface LimitedStem {
  word: string
  stem: string
  /** Documents that may have it. */
  max: number
}

/** Maximum of words whose stems are cached. */
const MAX_KNOWN = 10_000
/** Keyed by the page numbers, which stay the same for many queries. */
const known = new WeakMap<IndexedLanguages['pages'], Map<string, LimitedStem[]>>()

function limitedStems(word: string, indexedLanguages: IndexedLanguages): LimitedStem[] {
  // A language that the query names is the only one.
  if (indexedLanguages.languages.length < 2) return []
  const { pages } = indexedLanguages
  const stems = known.get(pages) ?? new Map<string, LimitedStem[]>()
  known.set(pages, stems)
  let limited = stems.get(word)
  if (limited === undefined) {
    limited = findLimitedStems(word, indexedLanguages)
    if (stems.size >= MAX_KNOWN) stems.clear()
    stems.set(word, limited)
  }
  return limited
}

/** Stems other than the word itself, in languages with less than half of the pages. */
function findLimitedStems(word: string, { languages, pages }: IndexedLanguages): LimitedStem[] {
  let all = 0
  for (const count of pages.values()) all += count
  const plain = lookUpIndexTerm(word, null)
  const pagesOf = new Map<string, number>()
  for (const lang of candidateLanguages(word, languages)) {
    const stem = lookUpIndexTerm(word, lang)
    pagesOf.set(stem, (pagesOf.get(stem) ?? 0) + (lang === null ? 0 : (pages.get(lang) ?? 0)))
  }
  pagesOf.delete(plain)
  return [...pagesOf]
    .map(([stem, count]) => ({ word, stem, max: Math.max(MIN_PAGES, MAX_RATIO * count) }))
    .filter(({ max }) => max < all)
}
