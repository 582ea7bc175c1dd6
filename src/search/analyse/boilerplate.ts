// Reclassifies body blocks as boilerplate: lists of links, and lines that many pages of the host share.

import type { FeedBatch, FeedPage } from '../../ports/search.ts'
import { BatchLineCounts } from '../line-counts.ts'
import { hostOf } from '../url-parts.ts'
import type { Block } from './block-reader.ts'

/** A block with a larger share of words in links is a list of links. */
const MAX_LINKED_SHARE = 0.6
/** A longer paragraph is not a menu; if it is repeated, it is probably a quotation. */
const MAX_REPEATED_WORDS = 60
/** Number of earlier pages of the host with the same line. */
const MIN_REPEATS = 4
/** Limit per page; a longer list is not boilerplate. */
const MAX_LINES = 100
/**
 * If less than this share of the words outside link lists would be left as body, the page has no other boilerplate: it
 * has unclosed tags, or all its lines are on other pages too.
 */
const MIN_BODY_SHARE = 0.1

export interface PageLines {
  /** The distinct short lines of the page. */
  lines: number[]
  /** Those that other pages of the host share. */
  repeated: number[]
}

/** Detects the lines of a page that its host repeats, and counts them for later pages. */
export class RepeatedLineDetector {
  #counts = new BatchLineCounts()

  /** Call at the start of a batch; counts of other hosts are dropped. */
  setHostLines(hosts: FeedBatch['lines']): void {
    this.#counts = new BatchLineCounts(hosts)
  }

  /** A reindexed page gets the same result as the first time, and counts once. */
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

/**
 * Changes the kind of blocks in place. A list of links is about other pages, even if there is nothing else on its page:
 * a table of contents must not be found instead of the chapter.
 */
export function markBoilerplate(blocks: Block[], repeated: readonly number[]): void {
  const isRepeated = new Set(repeated)
  let [kept, dropped] = [0, 0]
  for (const block of blocks) {
    const words = block.end - block.start
    if (isLinkList(block)) block.kind = 'boilerplate'
    else if (block.kind === 'boilerplate' || isRepeatedLine(block, isRepeated)) dropped += words
    else kept += words
  }
  const hasText = kept >= dropped * MIN_BODY_SHARE
  for (const block of blocks) {
    if (isLinkList(block)) continue
    if (!hasText && block.kind === 'boilerplate') block.kind = 'body'
    else if (hasText && isRepeatedLine(block, isRepeated)) block.kind = 'boilerplate'
  }
}

function isLinkList({ kind, start, end, linkedWords }: Block): boolean {
  return kind !== 'heading' && linkedWords > (end - start) * MAX_LINKED_SHARE
}

function isRepeatedLine(block: Block, repeated: ReadonlySet<number>): boolean {
  return block.kind === 'body' && isShort(block) && repeated.has(block.hash)
}
