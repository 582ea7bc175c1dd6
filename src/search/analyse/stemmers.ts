// Stemmers by language: Snowball and similar algorithms.

import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'

export const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  ar: arabic,
  bg: inPlace(bulgarian),
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  ga: irish,
  hi: hindi,
  hu: hungarian,
  hy: armenian,
  id: indonesian,
  it: italian,
  lt: lithuanian,
  ne: nepali,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sr: serbian,
  sv: swedish,
  ta: tamil,
  tr: turkish,
  uk: ukrainian,
}

/** The Bulgarian stemmer modifies letters in place, which strings do not allow. */
function inPlace(stem: (word: string) => string): (word: string) => string {
  return (word) => {
    const letters = word.split('')
    const substring = (from: number, to: number) => letters.slice(from, to).join('')
    return stem(Object.assign(letters, { substring }) as unknown as string)
  }
}

const LANGUAGE_ALIASES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', in: 'id' }
const LANGUAGE = /^[a-z]{2,3}(?![a-z])/

/** `en-GB` and `EN_us` become en; null for anything that is not a language. */
export function normaliseLanguage(declared: string | null): string | null {
  const match = LANGUAGE.exec(declared?.trim().toLowerCase() ?? '')
  return match === null ? null : (LANGUAGE_ALIASES[match[0]] ?? match[0])
}
