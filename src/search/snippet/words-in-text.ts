// Words of a text as the tokeniser splits them, found at a position of the text.

import { COMPOSED, IGNORED, INDEX_CHARACTER_CLASSES, LAST_MARK } from '../analyse/character-classes.ts'
import { isSurrogate } from './word-heads.ts'

const ASCII = 0x80
const [APOSTROPHE, RIGHT_QUOTE] = [0x27, 0x2019]
/** The rule of tokeniser.ts: "John's" is one word, "l'arbre" two. */
const MIN_BEFORE = 3
const MAX_AFTER = 2

// The compiler inlines module constants in a loop, but looks up imported ones in every iteration.
const classes = INDEX_CHARACTER_CLASSES
const lastMark = LAST_MARK

export function toPlainWord(text: string, codes: Uint16Array, start: number, end: number): string {
  let isAscii = true
  for (let pos = start; pos < end && isAscii; pos++) isAscii = (codes[pos] ?? 0) < ASCII
  const raw = text.slice(start, end)
  return (isAscii ? raw : raw.normalize('NFKC')).toLowerCase()
}

/** The rule of tokeniser.ts: C++, C# and .NET are indexed as whole names, in which full-width signs replace these. */
export const NAME_TERM = /^\uff0e|[\uff0b\uff03]+$/
const DOT = 0x2e

/** Whether the word at this position is a name that starts with a dot. */
export function hasNameDot(codes: Uint16Array, start: number): boolean {
  return codes[start - 1] === DOT && !isLetter(codes[start - 2] ?? 0)
}

export function toDottedName(word: string): string {
  return `\uff0e${word}`
}

export function nameSigns(after: string): string {
  return after === '++' ? after : after.startsWith('#') ? '#' : ''
}

export function toNameSigns(signs: string): string {
  return signs.replaceAll('+', '\uff0b').replace('#', '\uff03')
}

/** Removes the signs of a name. */
export function dropNameSigns(term: string): string {
  return term.replace(NAME_TERM, '')
}

/** Letters after an apostrophe may belong to the word before it. */
export function startsWord(codes: Uint16Array, pos: number, to: number): boolean {
  let before = pos - 1
  while (before >= 0 && classes[codes[before] ?? 0] === IGNORED && !endsWord(codes, before, to)) before--
  return before === pos - 1 || before < 0 || !isLetter(codes[before] ?? 0)
}

export function wordEnd(codes: Uint16Array, start: number, to: number): number {
  let pos = start + 1
  let end = pos
  for (; pos < to; pos++) {
    if (isLetter(codes[pos] ?? 0)) end = pos + 1
    else if (classes[codes[pos] ?? 0] !== IGNORED || endsWord(codes, pos, to)) break
  }
  return end
}

/** Whether an apostrophe separates two words. */
function endsWord(codes: Uint16Array, pos: number, to: number): boolean {
  if (codes[pos] !== APOSTROPHE && codes[pos] !== RIGHT_QUOTE) return false
  let [before, after] = [0, 0]
  while (before < MIN_BEFORE && isLetter(codes[pos - 1 - before] ?? 0)) before++
  while (after <= MAX_AFTER && pos + 1 + after < to && isLetter(codes[pos + 1 + after] ?? 0)) after++
  return before < MIN_BEFORE || after > MAX_AFTER || after === 0
}

export function isLetter(code: number): boolean {
  const sign = classes[code] ?? 0
  return sign > lastMark || (sign === COMPOSED && !isSurrogate(code))
}
