// The words of a query as typed, for which other forms are looked up in the index.

import { splitWords } from '../analyse/split-words.ts'
import type { SyntaxNode } from './query-parser.ts'
import { findStopWords, isStopWord } from './query-stop-words.ts'
import { type QueryUnit, splitUnits } from './query-units.ts'

export interface QueryWords {
  words: string[]
  /** Words of ideographs. */
  ideographs: string[]
  /** Words that follow each other and may form a single one. */
  sequences: string[][]
  /**
   * Words without other forms: words of prefixes, phrases and names such as wi-fi, and stop words if there is nothing
   * else.
   */
  others: string[]
}

/** Words that may form a single one. */
export const MAX_SEQUENCE = 4

export function collectQueryWords(raw: SyntaxNode, languages: readonly string[]): QueryWords {
  const collected: QueryWords = { words: [], ideographs: [], sequences: [], others: [] }
  const stops = findStopWords(raw, languages)
  collect(raw, stops, collected)
  if (collected.words.length + collected.others.length === 0) collected.others.push(...stopWordsIn(raw, stops))
  return collected
}

function collect(raw: SyntaxNode, stops: ReadonlySet<string>, into: QueryWords): void {
  if (raw.kind === 'phrase') into.others.push(...splitWords(raw.text))
  else if (raw.kind === 'near') into.others.push(...raw.texts.flatMap(splitWords))
  else if (raw.kind === 'word' && raw.isPrefix) into.others.push(...splitWords(raw.text))
  else if (raw.kind === 'word') {
    const units = splitUnits(raw.text)
    into.others.push(...units.flatMap((unit) => (unit.kind === 'words' && unit.words.length > 1 ? unit.words : [])))
    into.words.push(...units.flatMap((unit) => singleWord(unit) ?? []).filter((word) => !stops.has(word)))
    into.ideographs.push(...units.flatMap((unit) => (unit.kind === 'ideographs' && unit.isWord ? [unit.text] : [])))
  } else if (raw.kind === 'not') {
    collect(raw.part, stops, into)
  } else if (raw.kind === 'and' || raw.kind === 'or') {
    for (const part of raw.parts) collect(part, stops, into)
    if (raw.kind === 'and' && !raw.isExplicit) into.sequences.push(...findSequences(raw.parts, stops))
  }
}

function stopWordsIn(raw: SyntaxNode, stops: ReadonlySet<string>): string[] {
  if (raw.kind === 'and' || raw.kind === 'or') return raw.parts.flatMap((part) => stopWordsIn(part, stops))
  return raw.kind === 'word' ? splitWords(raw.text).filter((word) => stops.has(word)) : []
}

/** Sequences with at least two words that are not stop words, such as element and id in "get element by id". */
function findSequences(parts: readonly SyntaxNode[], stops: ReadonlySet<string>): string[][] {
  const words = parts.map(plainWord)
  const sequences = words.flatMap((_, from) =>
    Array.from({ length: MAX_SEQUENCE - 1 }, (__, i) => words.slice(from, from + i + 2)).filter(
      ({ length }, i) => length === i + 2,
    ),
  )
  return sequences.filter(
    (sequence): sequence is string[] =>
      !sequence.includes(null) && sequence.filter((word) => !isStopWord(word ?? '', stops)).length > 1,
  )
}

/** Null unless the part is a single word that may match in any field. */
export function plainWord(part: SyntaxNode): string | null {
  if (part.kind !== 'word' || part.isPrefix || part.field !== null) return null
  const [unit, ...others] = splitUnits(part.text)
  return unit === undefined || others.length > 0 ? null : singleWord(unit)
}

function singleWord(unit: QueryUnit): string | null {
  return unit.kind === 'words' && unit.words.length === 1 ? (unit.words[0] ?? null) : null
}
