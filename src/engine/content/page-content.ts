// The content of a page as Markdown blocks: its main content if it is HTML, otherwise its text. Time and memory are
// bounded for every page; a page that is too large or too deeply nested for a tree yields its visible text.

import { parseTree } from '../parse/bounded-tree.ts'
import { readHtml } from '../parse/html-reader.ts'
import { resolveBaseUrl } from '../url/normalise-url.ts'
import { findMain } from './find-main.ts'
import { escapeLineStart, escapeText } from './markdown/escape-text.ts'
import { joinBlocks, type MarkdownBlock, writeBlocks } from './markdown/write-blocks.ts'
import { isSiteName } from './site-name.ts'
import { attributeOf, findElement } from './tree-nodes.ts'

/** Further links are written as text. */
const MAX_TARGETS = 20_000
const MAX_TARGET_CHARACTERS = 4 << 20
/** Text after this many characters is left out. */
const MAX_CHARACTERS = 8 << 20

export function contentOfHtml(html: string, url: string): MarkdownBlock[] {
  const document = parseTree(html, { withPlaces: false })
  const main = document === null ? null : findMain(document)
  if (document === null || main === null) return contentOfText(readHtml(html, true, null, 0).text)
  const base = findElement(document, (element) => element.tagName === 'base' && attributeOf(element, 'href') !== null)
  const baseUrl = resolveBaseUrl(base === null ? null : attributeOf(base, 'href'), url)
  const budget = { targets: MAX_TARGETS, targetCharacters: MAX_TARGET_CHARACTERS }
  const isTitled = main.title !== null && !isSiteName(main.title, { document, root: main.root, baseUrl, url })
  const nodes = main.title !== null && isTitled ? [main.title, main.root] : [main.root]
  return limitBlocks(writeBlocks(nodes, { baseUrl, dropped: main.dropped, budget }))
}

/** Content of a document without markup: each line is a paragraph. */
export function contentOfText(text: string): MarkdownBlock[] {
  const lines = text.split('\n').map((line) => line.trim())
  return limitBlocks(
    lines.flatMap((line) =>
      line === '' ? [] : { lines: [escapeLineStart(escapeText(line))], heading: null, isParagraph: true },
    ),
  )
}

/**
 * Blocks of a document in Markdown, for its chunks. They end at empty lines, at headings, and where fences of code do.
 * Fences, front matter and some HTML stay whole.
 */
export function blocksOfMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let lines: string[] = []
  let isEnd: LineTest | null = null
  const endBlock = () => {
    if (lines.length > 0) blocks.push({ lines, heading: null, isParagraph: false })
    lines = []
  }
  const all = text.split(/\r\n?|\n/)
  for (const [i, line] of all.entries()) {
    if (isEnd !== null) {
      lines.push(line)
      if (!isEnd(line)) continue
      isEnd = null
      if (!isIndented(line)) endBlock()
      continue
    }
    const [, level, title = ''] = HEADING.exec(line) ?? []
    isEnd = i === 0 && FRONT_MATTER.test(text) ? isEndOfFrontMatter : endOfWhole(line)
    if (level !== undefined || line.trim() === '' || (isEnd !== null && !isIndented(line))) endBlock()
    if (level !== undefined) {
      const heading = { level: level.length, text: title.trim(), anchor: null }
      blocks.push({ lines: [line], heading, isParagraph: false })
    } else if (line.trim() !== '') lines.push(line)
  }
  endBlock()
  return limitBlocks(blocks)
}

/** The text of a document in Markdown, which stays as it is. */
export function limitText(text: string): string {
  return text.slice(0, MAX_CHARACTERS)
}

type LineTest = (line: string) => boolean

/** After a fence of backticks, the rest of the line has none. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/
const HTML = /^ {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))/i
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/
const FRONT_MATTER = /^---[ \t]*\r?\n[\w-]+:/

function isEndOfFrontMatter(line: string): boolean {
  return /^(?:---|\.\.\.)\s*$/.test(line)
}

/** Tests for the last line of what begins in this line, if that is something in which # is no heading. */
function endOfWhole(start: string): LineTest | null {
  const fence = FENCE.exec(start)?.[1]
  if (fence !== undefined) {
    return (line) => {
      const mark = FENCE.exec(line)?.[1] ?? ''
      return mark.startsWith(fence) && line.trim() === mark
    }
  }
  const [opening, comment, tag] = HTML.exec(start) ?? []
  if (opening === undefined) return null
  const end = comment === undefined ? `</${tag?.toLowerCase()}>` : '-->'
  const hasEnd = (line: string) => line.toLowerCase().includes(end)
  return hasEnd(start.slice(opening.length)) ? null : hasEnd
}

/** A fence inside a list item belongs to the block of the item. */
function isIndented(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t')
}

export function toMarkdown(blocks: readonly MarkdownBlock[]): string {
  return `${joinBlocks(blocks).join('\n')}\n`
}

function limitBlocks(blocks: MarkdownBlock[]): MarkdownBlock[] {
  let characters = 0
  const end = blocks.findIndex(({ lines }) => {
    for (const line of lines) characters += line.length + 1
    return characters > MAX_CHARACTERS
  })
  return end === -1 ? blocks : blocks.slice(0, end)
}
