// Indexes one batch: reads its pages back from the archive, analyses them in order, and writes the result in one
// transaction.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PageReaderDependencies } from '../../engine/pages/read-page.ts'
import type { FeedBatch, FeedOutcome, IndexFeed } from '../../ports/search.ts'
import type { Analyser } from '../analyse/analyser.ts'
import { type ExclusionReason, readPageSource } from './page-source.ts'

export interface BatchDependencies {
  feed: Pick<IndexFeed, 'finish'>
  reading: PageReaderDependencies
  analyser: Analyser
  /** If true, the batch is abandoned and offered again later. */
  isStopped: () => boolean
}

export interface BatchCounts {
  indexed: number
  /** Pages that were indexed before and are reindexed, for example with new anchor texts. */
  again: number
  leftOut: Partial<Record<ExclusionReason, number>>
}

/** A larger number would hold more pages in memory without reading faster. */
const AT_ONCE = 16

export async function indexBatch(
  { token, pages, lines }: FeedBatch,
  dependencies: BatchDependencies,
): Promise<BatchCounts | null> {
  const outcome: FeedOutcome = { pages: [], anchors: [] }
  const leftOut: BatchCounts['leftOut'] = {}
  let [indexed, again] = [0, 0]
  dependencies.analyser.setHostLines(lines)
  for (let start = 0; start < pages.length; start += AT_ONCE) {
    if (dependencies.isStopped()) return null
    const chunk = pages.slice(start, start + AT_ONCE)
    const read = await Promise.all(chunk.map(({ version }) => readPageSource(version, dependencies.reading)))
    for (const [i, reading] of read.entries()) {
      // A document of one megabyte takes a good part of a second, so the loop yields and checks for a stop before each.
      await yieldToEventLoop()
      if (dependencies.isStopped()) return null
      const page = chunk[i]
      // A page missing from the outcome is offered again later; the other pages do not wait for it.
      if (page === undefined || 'isAway' in reading) continue
      if ('leftOut' in reading) {
        leftOut[reading.leftOut] = (leftOut[reading.leftOut] ?? 0) + 1
        dependencies.analyser.excludePage(page)
        outcome.pages.push({ leftOut: { url: page.version.url, version: page.version.version } })
        continue
      }
      const { document, anchors } = dependencies.analyser.analyse(page, reading.source)
      outcome.pages.push({ document })
      if (page.previous?.pageId === document.pageId) again += 1
      else indexed += 1
      outcome.anchors.push(...anchors)
    }
  }
  await dependencies.feed.finish(token, outcome)
  return { indexed, again, leftOut }
}
