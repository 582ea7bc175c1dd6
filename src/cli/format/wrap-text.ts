// Text for people broken into lines: at blanks alone, so that a word longer than a line stays whole.

import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from './units.ts'

const MARGIN = 2
const TERM_WIDTH = 26
const NARROW_INDENT = 6
/** With less room than this beside the terms, what they mean goes below them. */
const MIN_MEANING_WIDTH = 30

export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function columnsOf(text: string): number {
  return displayWidth(stripVTControlCharacters(text))
}

/** A term and what it means, which stands in a column of its own: beside the term, or below it if that is too long. */
export function formatDefinition(term: string, meaning: string, width: number): string[] {
  const beside = MARGIN + TERM_WIDTH
  const indent = width - beside < MIN_MEANING_WIDTH ? NARROW_INDENT : beside
  const lines = wrapText(meaning, width - indent).map((line) => ' '.repeat(indent) + line)
  const head = ' '.repeat(MARGIN) + term
  const [first = '', ...rest] = lines
  if (head.length + MARGIN > indent) return [head, ...lines]
  return [head + first.slice(head.length), ...rest]
}
