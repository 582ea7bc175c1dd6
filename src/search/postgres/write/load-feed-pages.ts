// Loads claimed pages with what the index knows about their URLs: anchor texts, ranks, and the document to be
// replaced.

import type { FeedPage } from '../../../ports/index-feed.ts'
import { pagesToIndex } from '../../../store/pages/postgres.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { readAnchors } from './anchors.ts'
import { readIndexedPages } from './documents.ts'
import type { QueuedPage } from './index-queue.ts'
import { readRanks } from './link-ranks.ts'

/** Pages that were deleted in the meantime are left out. */
export async function loadFeedPages(db: Queryable, waiting: QueuedPage[]): Promise<FeedPage[]> {
  if (waiting.length === 0) return []
  const pages = await pagesToIndex(db, waiting)
  const unreadIds = new Set(waiting.filter((page) => page.hasUnreadLinks).map(({ id }) => id))
  const urls = pages.map(({ version }) => version.url)
  const [anchors, ranks, previous] = await Promise.all([
    readAnchors(db, urls),
    readRanks(db, urls),
    readIndexedPages(db, urls),
  ])
  return pages.map((page, i) => ({
    ...page,
    anchors: anchors[i] ?? [],
    previous: previous[i] ?? null,
    hasUnreadLinks: unreadIds.has(page.version.id),
    ...(ranks[i] ?? { linkRank: 0, inlinks: 0 }),
  }))
}
