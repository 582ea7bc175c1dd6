// Identifies the language of a page: the declared one, unless the text is clearly in another. Depends on the page
// alone: a short text may leave several languages open (see host-languages.ts). If stop words confirm the declaration,
// the detector does not run: it takes 30 us (2026-11), counting stop words 5.

import { readFileSync } from 'node:fs'
import { NgramDetector } from './ngram-detector.ts'
import { packNgrams } from './packed-ngrams.ts'
import { sampleProse } from './prose-sample.ts'
import { normaliseLanguage } from './stemmers.ts'
import { StopWordCounter } from './stop-words.ts'

/** The languages that a text may be in, the most likely first. Empty if none is likely. */
export type DetectLanguage = (text: string) => string[]

/** The n-grams are read when the first text needs them, since that takes a tenth of a second. */
export async function loadLanguageDetector(): Promise<DetectLanguage> {
  const load = (file: string): Promise<Record<string, unknown>> => import(eldFile(file).href)
  const [patterns, letters, averages] = await Promise.all([
    load('regexPatterns.js'),
    load('dictionary.js'),
    load('avgScore.js'),
  ])
  const readDetector = () =>
    new NgramDetector({
      ...packNgrams(readFileSync(eldFile('ngrams/small.js'), 'utf8')),
      separators: patterns['separators'] as RegExp,
      dictionary: letters['dictionary'] as string[],
      averageScores: averages['avgScore'] as Record<string, number>,
    })
  let detector: NgramDetector | null = null
  return (text) => {
    detector ??= readDetector()
    return detector.detect(text)
  }
}

/** eld has no option for custom data, so its files are imported directly; its version is pinned. */
function eldFile(path: string): URL {
  return new URL(`../${path}`, import.meta.resolve('eld/small'))
}

const MIN_SAMPLE = 20
/**
 * Minimum share of stop words in the sample. A text has 0.2 (Turkish) to 0.6 (Spanish) stop words of its own language;
 * German text has 0.04 of English, Dutch 0.2 of Danish.
 */
const MIN_SHARE = 0.2
const MIN_STOP_WORDS = 4
/** Portuguese has as many words from the Spanish list as from its own, and Danish nearly as many from the Norwegian. */
const MIN_LEAD = 1.5

/** A sample of as many words, with a smaller share of stop words of any language, is a list. */
const [MIN_LISTED, MIN_LISTED_SHARE] = [12, 0.05]
const IS_ASCII = /^\p{ASCII}*$/u

export class LanguageIdentifier {
  readonly #detect: DetectLanguage
  readonly #stopWords = new StopWordCounter()

  constructor(detectLanguage: DetectLanguage) {
    this.#detect = detectLanguage
  }

  /** Returns the language, or a list of candidates, the most likely first; empty if nothing is known. */
  identify(declared: string | null, text: string): string | string[] {
    const claimed = normaliseLanguage(declared)
    if (text.length < MIN_SAMPLE) return claimed ?? []
    const sample = sampleProse(text)
    if (claimed !== null && this.#isConfirmed(claimed, sample)) return claimed
    if (sample.length < MIN_SAMPLE || this.#isWordList(sample)) return claimed ?? []
    const possible = [...new Set(this.#detect(sample).flatMap((lang) => normaliseLanguage(lang) ?? []))]
    const [first, ...others] = possible
    if (first !== undefined && others.length === 0) return first
    if (claimed !== null && (first === undefined || possible.includes(claimed))) return claimed
    return possible
  }

  /**
   * Whether the sample is a list of names of files or columns: they look like words of any language, but form no
   * sentences.
   */
  #isWordList(sample: string): boolean {
    if (!IS_ASCII.test(sample)) return false
    const { words, mostInOtherLanguage } = this.#stopWords.count(sample, '')
    return words >= MIN_LISTED && mostInOtherLanguage < words * MIN_LISTED_SHARE
  }

  #isConfirmed(lang: string, sample: string): boolean {
    const { words, inLanguage, mostInOtherLanguage } = this.#stopWords.count(sample, lang)
    return (
      inLanguage >= MIN_STOP_WORDS && inLanguage >= words * MIN_SHARE && inLanguage >= mostInOtherLanguage * MIN_LEAD
    )
  }
}
