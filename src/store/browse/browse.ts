// The port Browse, on either store.

import { createSerialQueue } from '../../lib/serial-queue.ts'
import { type Browse, readsWholeCrawl } from '../../ports/browse.ts'
import type { BrowseDb } from './browse-db.ts'
import { countLinks } from './count-links.ts'
import { countRequeued } from './count-requeued.ts'
import { countUrls } from './count-urls.ts'
import { readCrawlStats } from './crawl-stats.ts'
import { readGraph } from './graph/graph.ts'
import { readHostStatus } from './host-status.ts'
import { HostTotalsCache } from './host-totals-cache.ts'
import { listHosts } from './list-hosts.ts'
import { listUrls } from './list-urls.ts'
import { readProblems } from './problems.ts'
import { readRedirectTargets } from './redirect-targets.ts'
import { findUrl, readUrlDetails } from './url-details.ts'

export function makeBrowse(db: BrowseDb): Browse {
  const counts = new HostTotalsCache(db)
  const inTurn = createSerialQueue()
  return {
    urls: (crawlId, query) => listUrls(db, crawlId, query),
    countUrls: (crawlId, filter) => countUrls(db, crawlId, filter),
    urlDetails: (crawlId, urlId) => readUrlDetails(db, crawlId, urlId),
    findUrl: (crawlId, url) => findUrl(db, crawlId, url),
    redirectTargets: (crawlId, urls) => readRedirectTargets(db, crawlId, urls),
    linkCounts: (crawlId, urlIds) => countLinks(db, crawlId, urlIds),
    requeuedCount: (crawlId) => countRequeued(db, crawlId),
    stats: (crawlId) => readCrawlStats(db, crawlId),
    hosts: (crawlId, query) => listHosts(db, counts, crawlId, query),
    host: (crawlId, host) => readHostStatus(db, crawlId, host),
    graph(crawlId, request) {
      const draw = () => readGraph(db, crawlId, request)
      return readsWholeCrawl(request) ? inTurn(draw) : draw()
    },
    problems: (crawlId, limit) => readProblems(db, crawlId, limit),
  }
}
