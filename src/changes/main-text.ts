// The main text of a page as lines, without navigation, footers and lists of links, as the index classifies them.

import { readHtml } from '../engine/parse/html-reader.ts'
import { type Block, BlockReader } from '../search/analyse/block-reader.ts'
import { markBoilerplate } from '../search/analyse/boilerplate.ts'
import { WordTable } from '../search/analyse/word-table.ts'

export interface MainText {
  lines: string[]
  /** Other lines, in lists of links. A line that is one of them in the other version has not changed. */
  links: ReadonlySet<string>
  /** Lines that are nothing but links. Only these may be in a list of links of the other version. */
  linkLines: ReadonlySet<string>
  /** The page has more lines, or longer ones, than are compared. */
  isCut: boolean
}

/** Compared at most. */
export const MAX_LINES = 10_000
const MAX_CHARACTERS = 1 << 20
/** Words are only used to detect boilerplate. In a page with more words, the rest counts as text. */
const MAX_WORDS = 1 << 14
const NO_LINKS = 0

/** A page with less text per word in links is a list of links. */
const MIN_TEXT_SHARE = 0.2
/** A longer run of lines with nothing but links is a list of links, even between lines of text. */
const MAX_LINK_LINES = 2

/** A line without words that says something: a tick in a table, the stars of a rating. */
const IS_SYMBOL = /[\p{So}×÷±←↑→↓≤≥]/u

export function mainTextOfHtml(html: string): MainText {
  const reader = new BlockReader(new WordTable(MAX_WORDS))
  const { text } = readHtml(html, true, reader, NO_LINKS)
  reader.finish()
  const found = findKinds(reader)
  const kinds = withLinksAsText(reader.blocks, found)
  const blockOf = (i: number) => reader.lines[i] ?? -1
  const all = text.split('\n')
  let isText = false
  const main = all.filter((line, i) => {
    if (blockOf(i) === -1) return isText && IS_SYMBOL.test(line)
    isText = kinds[blockOf(i)] === 'text'
    return isText
  })
  const linksOfKind = (kind: Kind) =>
    new Set(all.filter((_, i) => found[blockOf(i)] === 'links' && kinds[blockOf(i)] === kind))
  return limitText(main, linksOfKind('links'), linksOfKind('text'))
}

/** What a block is: text, links that are the text of some pages, or neither. */
type Kind = 'text' | 'links' | 'boilerplate'

function findKinds(reader: BlockReader): Kind[] {
  const { blocks } = reader
  const isOutside = blocks.map(({ kind }) => kind !== 'boilerplate')
  markBoilerplate(reader, [])
  return blocks.map(({ kind }, i): Kind => {
    if (kind !== 'boilerplate') return 'text'
    return isOutside[i] ? 'links' : 'boilerplate'
  })
}

/** Links are text in a page that is a list of links, and between lines of text, such as names in a table. */
function withLinksAsText(blocks: readonly Block[], found: readonly Kind[]): Kind[] {
  if (isListOfLinks(blocks, found)) return found.map((kind) => (kind === 'links' ? 'text' : kind))
  const kinds = [...found]
  for (let start = 0; start < found.length; start++) {
    if (found[start] !== 'links') continue
    let end = start
    while (found[end] === 'links') end += 1
    const isWithinText = found[start - 1] === 'text' && blocks[end]?.kind === 'body'
    if (isWithinText && end - start <= MAX_LINK_LINES) kinds.fill('text', start, end)
    start = end
  }
  return kinds
}

/** Headings do not count: they name the list. */
function isListOfLinks(blocks: readonly Block[], kinds: readonly Kind[]): boolean {
  const words = { text: 0, links: 0, boilerplate: 0 }
  for (const [i, { kind, start, end }] of blocks.entries()) {
    if (kind !== 'heading') words[kinds[i] ?? 'boilerplate'] += end - start
  }
  return words.text <= words.links * MIN_TEXT_SHARE
}

export function mainTextOfPlain(text: string): MainText {
  return limitText(
    text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()),
    new Set(),
    new Set(),
  )
}

function limitText(all: string[], links: ReadonlySet<string>, linkLines: ReadonlySet<string>): MainText {
  const lines: string[] = []
  let characters = 0
  for (const line of all) {
    if (line === '') continue
    characters += line.length
    if (lines.length === MAX_LINES || characters > MAX_CHARACTERS) return { lines, links, linkLines, isCut: true }
    lines.push(line)
  }
  return { lines, links, linkLines, isCut: false }
}
