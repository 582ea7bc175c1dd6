// Which blocks of the body stand around the text after all: lists of links, and lines that many pages of the host have.

import type { FeedBatch, FeedPage } from '../../ports/search.ts'
import { BatchLineCounts } from '../line-counts.ts'
import { hostOf } from '../url-parts.ts'
import type { Block } from './block-reader.ts'

/** Most of its words are in links. */
const MAX_LINKED_SHARE = 0.6
/** A long paragraph is no menu, and one that is repeated is likely a quotation. */
const MAX_REPEATED_WORDS = 60
/** So many pages of a host had the line before. */
const MIN_REPEATS = 4
/** Of a page; a longer list is no frame. */
const MAX_LINES = 100
/** With less than this left of its body, what was taken for a frame is the text: a page of links, or tags left open. */
const MIN_BODY_SHARE = 0.1

export interface PageLines {
  /** The short lines of the page, each once. */
  lines: number[]
  /** Those that other pages of the host have. */
  repeated: number[]
}

/** Tells which lines of a page its host repeats, and counts them for the pages that come after it. */
export class RepeatedLineDetector {
  #counts = new BatchLineCounts()

  /** At the start of a batch: nothing is known of other hosts. */
  setHostLines(hosts: FeedBatch['lines']): void {
    this.#counts = new BatchLineCounts(hosts)
  }

  /** A page that is indexed once more is told what it was told the first time, and counts once. */
  detect({ version: page, previous }: FeedPage, blocks: readonly Block[]): PageLines {
    if (previous?.pageId === page.id && previous.repeated !== null) {
      return { lines: previous.lines, repeated: previous.repeated }
    }
    const isNewest = this.#counts.removeUpToVersion(page.url, page.version, previous)
    const counter = this.#counts.counterOf(hostOf(page.url))
    const short = [...new Set(blocks.filter(isShort).map(({ hash }) => hash))]
    const repeated = short.filter((line) => counter.countOf(line) >= MIN_REPEATS)
    const lines = short.slice(0, MAX_LINES)
    if (isNewest) this.#counts.add(page.url, { version: page.version, lines })
    return { lines, repeated }
  }

  excludePage({ version: page, previous }: FeedPage): void {
    this.#counts.removeUpToVersion(page.url, page.version, previous)
  }
}

function isShort({ start, end }: Block): boolean {
  return end - start <= MAX_REPEATED_WORDS
}

/** Marks blocks in place. */
export function markBoilerplate(blocks: Block[], repeated: readonly number[]): void {
  const isRepeated = new Set(repeated)
  const kinds = blocks.map((block) => {
    const words = block.end - block.start
    if (block.kind !== 'body') return block.kind
    if (block.linkedWords > words * MAX_LINKED_SHARE) return 'around' as const
    return isShort(block) && isRepeated.has(block.hash) ? ('around' as const) : block.kind
  })
  const wordsOf = (kind: string) =>
    blocks.reduce((sum, { start, end }, i) => sum + (kinds[i] === kind ? end - start : 0), 0)
  const hasText = wordsOf('body') >= wordsOf('around') * MIN_BODY_SHARE
  blocks.forEach((block, i) => {
    if (hasText) block.kind = kinds[i] ?? block.kind
    else if (block.kind === 'around') block.kind = 'body'
  })
}
