// What the analysis of a page has to know about the other pages of its host: shared lines, and the main language. Each
// page of a batch is counted for the pages that follow.

import type { FeedBatch, FeedPage } from '../../ports/index-feed.ts'
import { BatchHostCounts } from '../host-counts.ts'
import { hostOf } from '../url-parts.ts'
import type { Block } from './block-reader.ts'
import { isShort } from './boilerplate.ts'

/** Number of earlier pages of the host with the same line. */
const MIN_REPEATS = 4
/** Limit per page; a longer list is not boilerplate. */
const MAX_LINES = 100

export interface PageLines {
  /** The distinct short lines of the page. */
  lines: number[]
  /** Lines that other pages of the host share. */
  repeated: number[]
}

export class BatchHosts {
  #counts = new BatchHostCounts()

  /** Call at the start of a batch; counts of other hosts are dropped. */
  setCounts(hosts: FeedBatch['hosts']): void {
    this.#counts = new BatchHostCounts(hosts)
  }

  /** A reindexed page gets the same result as the first time. */
  findLines({ version: page, previous }: FeedPage, blocks: readonly Block[]): PageLines & { isCounted: boolean } {
    if (previous?.pageId === page.id && previous.repeated !== null) {
      return { lines: previous.lines, repeated: previous.repeated, isCounted: false }
    }
    const isNewest = this.#counts.removeUpToVersion(page.url, page.version, previous)
    const counter = this.#counts.counterOf(hostOf(page.url)).lines
    const short = [...new Set(blocks.filter(isShort).map(({ hash }) => hash))]
    const repeated = short.filter((line) => counter.countOf(line) >= MIN_REPEATS)
    return { lines: short.slice(0, MAX_LINES), repeated, isCounted: isNewest }
  }

  mainLanguage(host: string): string | null {
    return this.#counts.counterOf(host).languages.main
  }

  /** Call after `findLines`, if that says so: a reindexed page counts once. */
  count({ version: page }: FeedPage, counted: { lines: number[]; ownLang: string | null }): void {
    this.#counts.add(page.url, { version: page.version, ...counted })
  }

  excludePage({ version: page, previous }: FeedPage): void {
    this.#counts.removeUpToVersion(page.url, page.version, previous)
  }
}
