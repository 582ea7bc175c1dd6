// Factors that multiply the text score.

import type { IndexQuery } from '../../ports/search.ts'

/**
 * A page with the highest link rank scores this much more than one without. On 148 known items of real documentation,
 * MRR was .85 with 0.1 to 0.4 and .71 without, in the run that chose it (2026-11; docs/explanation/benchmarks.md has the
 * present figure).
 */
const LINK_WEIGHT = 0.2
const HALF_LIFE_MS = 90 * 86_400_000
/** Lower bound for very old pages. */
const MIN_FRESHNESS = 0.3

/** Share of the score of a page in another language than the preferred one. It added .004 to the MRR above. */
const OTHER_LANGUAGE = 0.85

/** Factor for a document whose title is exactly the query. MRR in that run: .846 with 1, .85 with 1.5 and 2. */
const TITLE_WEIGHT = 1.5

/**
 * A word in the title that is not in the text counts this much. A page with the title "apple" that never mentions apples
 * only lists links to pages about them. nDCG@10 on CACM and CISI: .549 and .403 with 1, .551 and .404 with 0.3, .551 and
 * .403 with 0; MRR of 87 known items: .880, .885, .885 (2026-11).
 */
export const TITLE_ONLY = 0.3

/**
 * `inTitle` of the `leaves` of the query are in the title, which has `titleTerms` different terms. Squared, because a
 * few words of a long question say little.
 */
export function titleFactor(inTitle: number, leaves: number, titleTerms: number): number {
  const ofQuery = inTitle / Math.max(1, leaves)
  const ofTitle = inTitle / Math.max(1, inTitle, titleTerms)
  return 1 + TITLE_WEIGHT * ofQuery ** 2 * ofTitle
}

/**
 * A document whose file name is the query, such as tkinter.html for "tkinter", scores this much more. MRR as above: .851
 * with 0.1 to 0.3, .846 without; on 34 other known items it changes nothing.
 */
const NAME_WEIGHT = 0.15
const FILE_NAME = /([^/?#]+?)(?:\.[a-z]{1,5})?\/?(?:[?#].*)?$/i
const SEPARATORS = /[^\p{L}\p{N}]+/gu

/** The words of a query as a file name may have them: without what separates them. */
export function toFileName(words: readonly string[]): string {
  return words.join('').replaceAll(SEPARATORS, '').toLowerCase()
}

/** `name` is the file name that the query would have. */
export function fileNameFactor(url: string, name: string): number {
  if (name === '' || name.length >= url.length) return 1
  const fileName = FILE_NAME.exec(url)?.[1]
  if (fileName === undefined || fileName.length < name.length) return 1
  return toFileName([fileName]) === name ? 1 + NAME_WEIGHT : 1
}

/**
 * Factor of the score of a page that has only some of the words. A page about two of three words should come before
 * one that mentions all three in passing: on 48 questions over real documentation, MRR was .55 when such pages came
 * last, .57 with 0.5, .59 with 0.8 and .61 with 1; nDCG@10 on CACM and CISI .549 and .406, .551 and .406 (with 0.6),
 * .550 and .403, .549 and .403 (2026-11).
 */
const SOME_WORDS = 0.8

/** The score of a document, with the factors it consists of. `linkRank` is a factor here. */
export interface ScoreParts {
  text: number
  linkRank: number
  language: number
  freshness: number
  score: number
}

type FactorQuery = Pick<IndexQuery, 'sort' | 'now' | 'preferredLang'>

interface ScoredDocument {
  linkRank: number
  lang: string | null
  changedAt: number
  isPartial: boolean
}

export function combineScore(matchScore: number, document: ScoredDocument, query: FactorQuery): ScoreParts {
  const text = document.isPartial ? matchScore * SOME_WORDS : matchScore
  const linkRank = linkFactor(document.linkRank)
  const language = languageFactor(document.lang, query)
  const freshness = freshnessFactor(document.changedAt, query)
  return { text, linkRank, language, freshness, score: text * linkRank * language * freshness }
}

/** Converts the score of a full match to the score of a page with some of the words. */
export function toPartialScore(scoreParts: ScoreParts): Pick<ScoreParts, 'text' | 'score'> {
  return scaleScore(scoreParts, SOME_WORDS)
}

export function scaleScore({ text, score }: ScoreParts, by: number): Pick<ScoreParts, 'text' | 'score'> {
  return { text: text * by, score: score * by }
}

function linkFactor(linkRank: number): number {
  return 1 + LINK_WEIGHT * linkRank
}

/** 1 if the language of the page is unknown. */
function languageFactor(lang: string | null, { preferredLang }: FactorQuery): number {
  return lang === null || preferredLang === null || lang === preferredLang ? 1 : OTHER_LANGUAGE
}

/** 1 unless the search is sorted by freshness. */
function freshnessFactor(changedAt: number, { sort, now }: FactorQuery): number {
  if (sort !== 'fresh') return 1
  const ageMs = Math.max(0, now - changedAt)
  return MIN_FRESHNESS + (1 - MIN_FRESHNESS) * 2 ** (-ageMs / HALF_LIFE_MS)
}
