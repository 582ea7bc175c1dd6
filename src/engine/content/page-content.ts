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
