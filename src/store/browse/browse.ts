// The port Browse, on either store.

import type { Browse } from '../../ports/browse.ts'
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
import { PathTreeCache } from './paths/path-tree-cache.ts'
import { readFolders } from './paths/read-folders.ts'
import { readProblems } from './problems.ts'
import { readRedirectTargets } from './redirect-targets.ts'
import { findUrl, readUrlDetails } from './url-details.ts'

export function makeBrowse(db: BrowseDb): Browse {
  const counts = new HostTotalsCache(db)
  const trees = new PathTreeCache(db)
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
    folders: (crawlId, request) => readFolders(db, trees, crawlId, request),
    graph: (crawlId, request) => readGraph(db, trees, crawlId, request),
    problems: (crawlId, limit) => readProblems(db, crawlId, limit),
    freeMemory: async () => trees.clear(),
  }
}
