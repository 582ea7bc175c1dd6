// The language of a page: what it declares, unless its text is clearly another. A function of the page alone. Where the
// declared language is confirmed by its stop words the detector is not asked: that takes about 100 us (2026-11), a fifth
// of what a page may take.

import { readFileSync } from 'node:fs'
import { type NgramData, packNgrams } from './packed-ngrams.ts'
import { normaliseLanguage } from './stemmers.ts'
import { StopWordCounter } from './stop-words.ts'

export type DetectLanguage = (text: string) => string | null

interface Eld {
  detect(text: string): { language: string; isReliable(): boolean }
}

interface EldModule {
  createEld(): { instance: Eld; loadData(data: NgramData): void }
}

/** Loaded by those who analyse pages: it takes a tenth of a second. */
export async function loadLanguageDetector(): Promise<DetectLanguage> {
  const { createEld } = (await import(eldFile('languageDetector.js').href)) as EldModule
  const { instance, loadData } = createEld()
  loadData(packNgrams(readFileSync(eldFile('ngrams/small.js'), 'utf8')))
  return (text) => {
    const found = instance.detect(text)
    return found.language !== '' && found.isReliable() ? found.language : null
  }
}

/** eld exports no way to give it data of one's own; its version is pinned. */
function eldFile(path: string): URL {
  return new URL(`../${path}`, import.meta.resolve('eld/small'))
}

const SAMPLE = 300
const MIN_SAMPLE = 20
/** Of the words of the sample. A text has 0.2 (Turkish) to 0.6 (Spanish); German has 0.04 of English, Dutch 0.2 of Danish. */
const MIN_SHARE = 0.2
const MIN_STOP_WORDS = 4
/** Portuguese has as many words of the Spanish list as of its own, and Danish nearly as many of the Norwegian. */
const MIN_LEAD = 1.5

export class LanguageIdentifier {
  readonly #detect: DetectLanguage
  readonly #stopWords = new StopWordCounter()

  constructor(detectLanguage: DetectLanguage) {
    this.#detect = detectLanguage
  }

  identify(declared: string | null, text: string): string | null {
    const claimed = normaliseLanguage(declared)
    if (text.length < MIN_SAMPLE) return claimed
    const sample = sampleOf(text)
    if (claimed !== null && this.#isConfirmed(claimed, sample)) return claimed
    return normaliseLanguage(this.#detect(sample)) ?? claimed
  }

  #isConfirmed(lang: string, sample: string): boolean {
    const { words, inLanguage, mostInOtherLanguage } = this.#stopWords.count(sample, lang)
    return (
      inLanguage >= MIN_STOP_WORDS && inLanguage >= words * MIN_SHARE && inLanguage >= mostInOtherLanguage * MIN_LEAD
    )
  }
}

/** From the middle: a page begins with its navigation. */
function sampleOf(text: string): string {
  const start = Math.max(0, (text.length - SAMPLE) >> 1)
  return text.slice(start, start + SAMPLE)
}
