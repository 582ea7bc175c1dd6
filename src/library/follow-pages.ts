// The pages of a crawl as they are committed. They wait in the store, so a slow reader loses none; while too many wait,
// the crawl is held.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pages, PageVersion } from '../ports/pages.ts'

const BATCH = 100
const POLL_MS = 50
/** Pages that may wait before the crawl is held. It goes on at half of that. */
export const MAX_WAITING = 1000

export interface FollowedCrawl {
  crawlId: string
  pages: Pick<Pages, 'listAfter' | 'listByCrawl' | 'newestId'>
  /** Read from here on. */
  afterId: number
  isOver(): boolean
  /** Holds the crawl; returns a function that releases it. */
  hold(): () => void
  /**
   * The pages that the crawl had before. Null if this process has the store to itself: in a database, other processes
   * commit pages with lower ids, which are read in the end.
   */
  knownIds: Set<number> | null
}

export async function* followPages(crawl: FollowedCrawl): AsyncGenerator<PageVersion> {
  const { crawlId, pages, isOver, knownIds } = crawl
  let lastId = crawl.afterId
  // Runs also while the reader is busy with a page.
  const stopHolding = holdWhileBehind(crawl, async () => (await pages.newestId()) - lastId)
  try {
    for (;;) {
      // Checked before the pages are read, so that everything committed until then is among them.
      const wasOver = isOver()
      const batch = await pages.listAfter(lastId, BATCH)
      for (const { version } of batch) {
        if (version.crawlId === crawlId && !version.isRequisite) {
          knownIds?.add(version.id)
          yield version
        }
        lastId = version.id
      }
      if (batch.length > 0) continue
      if (wasOver) break
      await sleep(POLL_MS)
    }
    if (knownIds === null) return
    for await (const version of pages.listByCrawl(crawlId))
      if (!version.isRequisite && !knownIds.has(version.id)) yield version
  } finally {
    await stopHolding()
  }
}

/** Returns a function that ends it and releases the crawl. */
function holdWhileBehind({ hold, isOver }: FollowedCrawl, countWaiting: () => Promise<number>): () => Promise<void> {
  let release: (() => void) | null = null
  let isStopped = false
  const watch = async () => {
    while (!isStopped && !isOver()) {
      const waiting = await countWaiting()
      if (release === null && waiting > MAX_WAITING) release = hold()
      else if (waiting < MAX_WAITING / 2) {
        release?.()
        release = null
      }
      await sleep(POLL_MS)
    }
    release?.()
  }
  // A failure of the store also fails the crawl and the reader, which report it.
  const watching = watch().catch(() => release?.())
  return async () => {
    isStopped = true
    await watching
  }
}
