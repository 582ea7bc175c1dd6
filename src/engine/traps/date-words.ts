// Names of months and weekdays. Skeletons treat them like numbers: a calendar shows twelve of them before it repeats.

import { WordScanner } from './word-scanner.ts'

const NAMES = `
  january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
  januar februar märz april mai juni juli oktober dezember
  montag dienstag mittwoch donnerstag freitag samstag sonntag
  janvier février mars avril juin juillet août septembre octobre novembre décembre
  lundi mardi mercredi jeudi vendredi samedi dimanche
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  lunes martes miércoles jueves viernes sábado domingo
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  lunedì martedì mercoledì giovedì venerdì sabato domenica
  janeiro fevereiro março abril maio junho julho setembro outubro novembro dezembro`

const HASHES = new Set<number>()
/** Rules out most words by their lowest bits alone. */
const HASH_FILTER = new Uint8Array(4096)
for (const wordScanner = new WordScanner(NAMES); wordScanner.next(); ) {
  HASHES.add(wordScanner.hash)
  HASH_FILTER[wordScanner.hash & 4095] = 1
}

/** `hash`: of the word, as computed by WordScanner. */
export function isDateWord(hash: number): boolean {
  return HASH_FILTER[hash & 4095] === 1 && HASHES.has(hash)
}
