// Splits the content of a page into chunks for retrieval: a chunk has the headings it is under, and a new one begins at every
// heading, so that a change in one section leaves the chunks of the others as they are. The id of a chunk depends on
// its URL, headings and text only.

import { hash } from 'node:crypto'
import { joinBlocks, type MarkdownBlock } from './markdown/write-blocks.ts'

export interface ContentChunk {
  id: string
  /** Headings from the outermost to the nearest. */
  headings: string[]
  /** The fragment of the nearest heading that has one; null if none has. */
  anchor: string | null
  markdown: string
}

/** Characters. About 500 tokens of English text. */
export const DEFAULT_CHUNK_LENGTH = 2000
const ID_LENGTH = 20

interface OpenHeading {
  level: number
  text: string
  anchor: string | null
}

export function splitContent(blocks: readonly MarkdownBlock[], url: string, maxLength: number): ContentChunk[] {
  const chunks: ContentChunk[] = []
  const copies = new Map<string, number>()
  let open: OpenHeading[] = []
  let pending: MarkdownBlock[] = []
  let length = 0
  const flush = () => {
    // A heading without text belongs to the headings of the chunks after it.
    if (pending.some(({ heading }) => heading === null)) {
      const markdown = joinBlocks(pending).join('\n')
      const headings = open.map(({ text }) => text)
      const key = hash('sha256', JSON.stringify([url, headings, markdown]), 'hex').slice(0, ID_LENGTH)
      const copy = (copies.get(key) ?? 0) + 1
      copies.set(key, copy)
      const anchor = open.findLast((heading) => heading.anchor !== null)?.anchor ?? null
      chunks.push({ id: copy === 1 ? key : `${key}-${copy}`, headings, anchor, markdown })
    }
    pending = []
    length = 0
  }
  for (const block of blocks) {
    if (block.heading !== null) {
      flush()
      const { level } = block.heading
      open = [...open.filter((heading) => heading.level < level), block.heading]
    }
    for (const part of splitBlock(block, maxLength)) {
      const partLength = lengthOf(part)
      if (length > 0 && length + partLength > maxLength) flush()
      pending.push(part)
      length += partLength
    }
  }
  flush()
  return chunks
}

/** Parts of a block that is too long: whole lines if possible. Code stays code. */
function splitBlock(block: MarkdownBlock, maxLength: number): MarkdownBlock[] {
  if (block.heading !== null || lengthOf(block) <= maxLength) return [block]
  const fence = /^`{3,}/.exec(block.lines[0] ?? '')?.[0] ?? null
  const lines = fence === null ? block.lines : block.lines.slice(1, -1)
  return groupLines(
    lines.flatMap((line) => splitLine(line, maxLength)),
    maxLength,
  ).map((group) => ({
    ...block,
    lines: fence === null ? group : [block.lines[0] ?? fence, ...group, fence],
  }))
}

function groupLines(lines: readonly string[], maxLength: number): string[][] {
  const groups: string[][] = []
  let length = 0
  for (const line of lines) {
    const last = groups.at(-1)
    if (last !== undefined && length + line.length < maxLength) {
      last.push(line)
      length += line.length + 1
    } else {
      groups.push([line])
      length = line.length
    }
  }
  return groups
}

/** Splits at the end of a sentence, otherwise at a space, otherwise anywhere. */
function splitLine(line: string, maxLength: number): string[] {
  if (line.length <= maxLength) return [line]
  const parts: string[] = []
  let start = 0
  while (line.length - start > maxLength) {
    const window = line.slice(start, start + maxLength)
    const sentence = Math.max(window.lastIndexOf('. '), window.lastIndexOf('。'))
    const at = sentence > maxLength / 2 ? sentence + 1 : window.lastIndexOf(' ')
    const end = at > maxLength / 2 ? at : maxLength
    parts.push(window.slice(0, end).trim())
    start += end
  }
  parts.push(line.slice(start).trim())
  return parts.filter(Boolean)
}

function lengthOf({ lines }: MarkdownBlock): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}
