// The main text of a page as lines, without navigation, footers and lists of links, as the index classifies them.

import { readHtml } from '../engine/parse/html-reader.ts'
import { BlockReader } from '../search/analyse/block-reader.ts'
import { markBoilerplate } from '../search/analyse/boilerplate.ts'
import { WordTable } from '../search/analyse/word-table.ts'

export interface MainText {
  lines: string[]
  /** The page has more lines, or longer ones, than are compared. */
  isCut: boolean
}

/** Compared at most. */
export const MAX_LINES = 10_000
const MAX_CHARACTERS = 1 << 20
/** Words are only used to detect boilerplate. In a page with more words, the rest counts as text. */
const MAX_WORDS = 1 << 14
const NO_LINKS = 0

export function mainTextOfHtml(html: string): MainText {
  const reader = new BlockReader(new WordTable(MAX_WORDS))
  const { text } = readHtml(html, true, reader, NO_LINKS)
  reader.finish()
  markBoilerplate(reader, [])
  const lines = text.split('\n').filter((_, i) => {
    const kind = reader.blocks[reader.lines[i] ?? -1]?.kind
    return kind === 'body' || kind === 'heading'
  })
  return limitText(lines)
}

export function mainTextOfPlain(text: string): MainText {
  return limitText(text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()))
}

function limitText(all: string[]): MainText {
  const lines: string[] = []
  let characters = 0
  for (const line of all) {
    if (line === '') continue
    characters += line.length
    if (lines.length === MAX_LINES || characters > MAX_CHARACTERS) return { lines, isCut: true }
    lines.push(line)
  }
  return { lines, isCut: false }
}
