// Wraps text at spaces only, so that a word longer than a line stays whole.

import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from './units.ts'

const MARGIN = 2
const TERM_WIDTH = 26
const NARROW_INDENT = 6
/** If the meaning column would be narrower than this, meanings go below their terms. */
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

/** A term with its meaning in a second column, or below the term if the term is too long. */
export function formatDefinition(term: string, meaning: string, width: number, termWidth = TERM_WIDTH): string[] {
  const beside = MARGIN + termWidth
  const indent = width - beside < MIN_MEANING_WIDTH ? NARROW_INDENT : beside
  const lines = wrapText(meaning, width - indent).map((line) => ' '.repeat(indent) + line)
  const head = ' '.repeat(MARGIN) + term
  const [first = '', ...rest] = lines
  if (head.length + MARGIN > indent) return [head, ...lines]
  return [head + first.slice(head.length), ...rest]
}
