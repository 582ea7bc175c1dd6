// The language of a page: what it declares, unless its text is clearly another. A host whose declarations were right is
// believed, and looked at now and then: to look takes about 100 us (2026-11), a fifth of what a page may take.

import { readFileSync } from 'node:fs'
import { languageOf } from './languages.ts'
import { type NgramData, packNgrams } from './ngrams.ts'

export type Detect = (text: string) => string | null

interface Eld {
  detect(text: string): { language: string; isReliable(): boolean }
}

interface EldModule {
  createEld(): { instance: Eld; loadData(data: NgramData): void }
}

/** Loaded by those who analyse pages: it takes a tenth of a second. */
export async function loadDetector(): Promise<Detect> {
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
const TRUSTED_AFTER = 3
const LOOK_EVERY = 32
const MAX_HOSTS = 10_000

export class LanguageCheck {
  readonly #detect: Detect
  /** How often in a row a host's declaration of a language was right. */
  readonly #right = new Map<string, number>()

  constructor(detect: Detect) {
    this.#detect = detect
  }

  languageOf(host: string, declared: string | null, text: string): string | null {
    const claimed = languageOf(declared)
    const key = `${host} ${claimed}`
    const right = this.#right.get(key) ?? 0
    if (claimed !== null && right >= TRUSTED_AFTER && right % LOOK_EVERY !== 0) {
      this.#right.set(key, right + 1)
      return claimed
    }
    if (text.length < MIN_SAMPLE) return claimed
    const found = languageOf(this.#detect(sampleOf(text)))
    if (this.#right.size >= MAX_HOSTS) this.#right.clear()
    // What cannot be told is no contradiction.
    this.#right.set(key, found === null || found === claimed ? right + 1 : 0)
    return found ?? claimed
  }
}

/** From the middle: a page begins with its navigation. */
function sampleOf(text: string): string {
  const start = Math.max(0, (text.length - SAMPLE) >> 1)
  return text.slice(start, start + SAMPLE)
}
