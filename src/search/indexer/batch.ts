// One batch: pages read back some at a time, analysed in order, and handed over in one transaction.

import { setImmediate as turn } from 'node:timers/promises'
import type { ReadingParts } from '../../engine/pages/read.ts'
import type { FeedBatch, FeedOutcome, IndexFeed } from '../../ports/search.ts'
import type { Analyser } from '../analyse/analyse.ts'
import { type LeftOut, readSource } from './source.ts'

export interface BatchParts {
  feed: Pick<IndexFeed, 'finish'>
  reading: ReadingParts
  analyser: Analyser
  /** The batch is left as it is, and comes again later. */
  isOver: () => boolean
}

export interface BatchCounts {
  indexed: number
  /** Those that were indexed before, and are told more of now. */
  again: number
  leftOut: Partial<Record<LeftOut, number>>
}

/** More would hold more pages in memory and read no faster. */
const AT_ONCE = 16

export async function indexBatch({ token, pages, lines }: FeedBatch, parts: BatchParts): Promise<BatchCounts | null> {
  const outcome: FeedOutcome = { pages: [], anchors: [] }
  const leftOut: BatchCounts['leftOut'] = {}
  let [indexed, again] = [0, 0]
  parts.analyser.knowLines(lines)
  for (let start = 0; start < pages.length; start += AT_ONCE) {
    if (parts.isOver()) return null
    const some = pages.slice(start, start + AT_ONCE)
    const read = await Promise.all(some.map(({ version }) => readSource(version, parts.reading)))
    for (const [i, reading] of read.entries()) {
      // A document of a megabyte takes a good part of a second: whoever wants to stop is heard before the next.
      await turn()
      if (parts.isOver()) return null
      const page = some[i]
      // What the outcome does not mention comes again later, and the others do not wait for it.
      if (page === undefined || 'isAway' in reading) continue
      if ('leftOut' in reading) {
        leftOut[reading.leftOut] = (leftOut[reading.leftOut] ?? 0) + 1
        parts.analyser.leaveOut(page)
        outcome.pages.push({ leftOut: { url: page.version.url, version: page.version.version } })
        continue
      }
      const { document, anchors } = parts.analyser.analyse(page, reading.source)
      outcome.pages.push({ document })
      if (page.before?.pageId === document.pageId) again += 1
      else indexed += 1
      outcome.anchors.push(...anchors)
    }
  }
  await parts.feed.finish(token, outcome)
  return { indexed, again, leftOut }
}
