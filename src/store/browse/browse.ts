// The port Browse, on either store.

import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { type Browse, readsWholeCrawl } from '../../ports/browse.ts'
import type { BrowseDb } from './db.ts'
import { graphOf } from './graph.ts'
import { HostCounts } from './host-counts.ts'
import { paceOfHost } from './host-pace.ts'
import { listHosts } from './hosts.ts'
import { crawlStats } from './stats.ts'
import { findUrl, storyOf } from './story.ts'
import { troubleOf } from './trouble.ts'
import { listUrls } from './urls.ts'

export function makeBrowse(db: BrowseDb): Browse {
  const counts = new HostCounts(db)
  const inTurn = oneAtATime()
  return {
    urls: (crawlId, query) => listUrls(db, crawlId, query),
    story: (crawlId, urlId) => storyOf(db, crawlId, urlId),
    findUrl: (crawlId, url) => findUrl(db, crawlId, url),
    stats: (crawlId) => crawlStats(db, crawlId),
    hosts: (crawlId, query) => listHosts(db, counts, crawlId, query),
    host: (crawlId, host) => paceOfHost(db, crawlId, host),
    graph(crawlId, request) {
      const draw = () => graphOf(db, crawlId, request)
      return readsWholeCrawl(request) ? inTurn(draw) : draw()
    },
    trouble: (crawlId, limit) => troubleOf(db, crawlId, limit),
  }
}
