// One batch: pages read back some at a time, analysed in order, and handed over in one transaction.

import { setImmediate as turn } from 'node:timers/promises'
import type { PageReaderDependencies } from '../../engine/pages/read-page.ts'
import type { FeedBatch, FeedOutcome, IndexFeed } from '../../ports/search.ts'
import type { Analyser } from '../analyse/analyser.ts'
import { type ExclusionReason, readPageSource } from './page-source.ts'

export interface BatchDependencies {
  feed: Pick<IndexFeed, 'finish'>
  reading: PageReaderDependencies
  analyser: Analyser
  /** The batch is left as it is, and comes again later. */
  isStopped: () => boolean
}

export interface BatchCounts {
  indexed: number
  /** Those that were indexed before, and are told more of now. */
  again: number
  leftOut: Partial<Record<ExclusionReason, number>>
}

/** More would hold more pages in memory and read no faster. */
const AT_ONCE = 16

export async function indexBatch(
  { token, pages, lines }: FeedBatch,
  parts: BatchDependencies,
): Promise<BatchCounts | null> {
  const outcome: FeedOutcome = { pages: [], anchors: [] }
  const leftOut: BatchCounts['leftOut'] = {}
  let [indexed, again] = [0, 0]
  parts.analyser.setHostLines(lines)
  for (let start = 0; start < pages.length; start += AT_ONCE) {
    if (parts.isStopped()) return null
    const some = pages.slice(start, start + AT_ONCE)
    const read = await Promise.all(some.map(({ version }) => readPageSource(version, parts.reading)))
    for (const [i, reading] of read.entries()) {
      // A document of a megabyte takes a good part of a second: whoever wants to stop is heard before the next.
      await turn()
      if (parts.isStopped()) return null
      const page = some[i]
      // What the outcome does not mention comes again later, and the others do not wait for it.
      if (page === undefined || 'isAway' in reading) continue
      if ('leftOut' in reading) {
        leftOut[reading.leftOut] = (leftOut[reading.leftOut] ?? 0) + 1
        parts.analyser.excludePage(page)
        outcome.pages.push({ leftOut: { url: page.version.url, version: page.version.version } })
        continue
      }
      const { document, anchors } = parts.analyser.analyse(page, reading.source)
      outcome.pages.push({ document })
      if (page.previous?.pageId === document.pageId) again += 1
      else indexed += 1
      outcome.anchors.push(...anchors)
    }
  }
  await parts.feed.finish(token, outcome)
  return { indexed, again, leftOut }
}
