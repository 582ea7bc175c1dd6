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

/** A document in Markdown stays as it is. Blocks end at empty lines, at headings, and where fences of code do. */
export function contentOfMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let lines: string[] = []
  let fence = ''
  const endBlock = () => {
    if (lines.length > 0) blocks.push({ lines, heading: null, isParagraph: false })
    lines = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      lines.push(line)
      if (!mark.startsWith(fence) || line.trim() !== mark) continue
      fence = ''
      if (!isIndented(line)) endBlock()
      continue
    }
    const [, level, title = ''] = HEADING.exec(line) ?? []
    fence = mark
    if (level !== undefined || line.trim() === '' || (fence !== '' && !isIndented(line))) endBlock()
    if (level !== undefined) {
      const heading = { level: level.length, text: title.trim(), anchor: null }
      blocks.push({ lines: [line], heading, isParagraph: false })
    } else if (line.trim() !== '') lines.push(line)
  }
  endBlock()
  return limitBlocks(blocks)
}

const FENCE = /^\s*(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/

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
