// Words that say little of what a text is about. They are in the index like all others, for they are part of phrases;
// a query leaves them out unless it has nothing else.

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

const LISTS: Readonly<Record<string, string[]>> = {
  ...{ ar, bg, da, de, el, en, es, fi, fr, hu },
  ...{ id, it, nl, no, pt, ro, ru, sv, tr, uk },
}
const NONE: ReadonlySet<string> = new Set()
const sets = new Map<string, ReadonlySet<string>>()

/** In lower case, with apostrophes left out as the tokeniser does. */
export function stopWordsOf(lang: string | null): ReadonlySet<string> {
  const list = lang === null ? undefined : LISTS[lang]
  if (lang === null || list === undefined) return NONE
  let set = sets.get(lang)
  if (set === undefined) {
    set = new Set(list.map((word) => word.toLowerCase().replaceAll(/['’]/g, '')))
    sets.set(lang, set)
  }
  return set
}
