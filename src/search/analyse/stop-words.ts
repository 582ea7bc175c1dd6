// Stop words by language. They are indexed like other words, because they are part of phrases; a query drops them
// unless it has nothing else.

import { stopwords as ar } from '@orama/stopwords/arabic'
import { stopwords as bg } from '@orama/stopwords/bulgarian'
import { stopwords as da } from '@orama/stopwords/danish'
import { stopwords as nl } from '@orama/stopwords/dutch'
import { stopwords as en } from '@orama/stopwords/english'
import { stopwords as fi } from '@orama/stopwords/finnish'
import { stopwords as fr } from '@orama/stopwords/french'
import { stopwords as de } from '@orama/stopwords/german'
import { stopwords as el } from '@orama/stopwords/greek'
import { stopwords as hu } from '@orama/stopwords/hungarian'
import { stopwords as id } from '@orama/stopwords/indonesian'
import { stopwords as it } from '@orama/stopwords/italian'
import { stopwords as no } from '@orama/stopwords/norwegian'
import { stopwords as pt } from '@orama/stopwords/portuguese'
import { stopwords as ro } from '@orama/stopwords/romanian'
import { stopwords as ru } from '@orama/stopwords/russian'
import { stopwords as es } from '@orama/stopwords/spanish'
import { stopwords as sv } from '@orama/stopwords/swedish'
import { stopwords as tr } from '@orama/stopwords/turkish'
import { stopwords as uk } from '@orama/stopwords/ukrainian'

/** With words that the lists lack, most of them of questions. */
const LISTS: Readonly<Record<string, string[]>> = {
  ar,
  bg,
  da,
  de: [...de, 'wann', 'warum', 'wer', 'wieso'],
  el,
  en: [...en, 'a', 'eg', 'ie'],
  es,
  fi,
  fr: [...fr, 'combien', 'comment', 'estce', 'où', 'pourquoi', 'quand', 'quoi'],
  hu,
  id,
  it: [...it, 'cosa', 'quando'],
  nl: [...nl, 'waar', 'waarom', 'wanneer', 'welke'],
  no,
  pt: [...pt, 'onde'],
  ro,
  ru: [...ru, 'почему', 'сколько'],
  sv,
  tr,
  uk: [...uk, 'де', 'чому'],
}
const APOSTROPHE = /['’]/g
const NONE: ReadonlySet<string> = new Set()
const sets = new Map<string, ReadonlySet<string>>()

/** Stop words in lower case, without apostrophes, as the tokeniser returns words. */
export function stopWordsFor(lang: string | null): ReadonlySet<string> {
  const list = lang === null ? undefined : LISTS[lang]
  if (lang === null || list === undefined) return NONE
  let set = sets.get(lang)
  if (set === undefined) {
    set = new Set(list.map((word) => word.toLowerCase().replaceAll(APOSTROPHE, '')))
    sets.set(lang, set)
  }
  return set
}

const CODES = Object.keys(LISTS)
const WORD = /\p{L}[\p{L}\p{M}]*/gu

export interface StopWordCounts {
  words: number
  /** Stop words of the declared language. */
  inLanguage: number
  /** Stop words of the other language with the most of them. */
  mostInOtherLanguage: number
}

export class StopWordCounter {
  /** One bit per language for each stop word. */
  readonly #languages = new Map<string, number>()

  constructor() {
    for (const [place, lang] of CODES.entries()) {
      for (const word of stopWordsFor(lang)) this.#languages.set(word, (this.#languages.get(word) ?? 0) | (1 << place))
    }
  }

  count(text: string, lang: string): StopWordCounts {
    const words = text.toLowerCase().replaceAll(APOSTROPHE, '').match(WORD) ?? []
    const counts = CODES.map(() => 0)
    for (const word of words) {
      for (let left = this.#languages.get(word) ?? 0; left !== 0; left &= left - 1) {
        const place = 31 - Math.clz32(left & -left)
        counts[place] = (counts[place] ?? 0) + 1
      }
    }
    const place = CODES.indexOf(lang)
    const mostOfOthers = Math.max(...counts.filter((_, i) => i !== place))
    return { words: words.length, inLanguage: counts[place] ?? 0, mostInOtherLanguage: mostOfOthers }
  }
}
