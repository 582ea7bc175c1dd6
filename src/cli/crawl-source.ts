// The source from which commands read a crawl that they do not run: the store, or with --server the API.

import type { Client } from '../api/client.ts'
import { pageCount } from '../lib/states.ts'
import type { Crawl } from '../ports/crawls.ts'
import { excludedPatterns } from './excluded-patterns.ts'
import { RecentRate } from './foreground/recent-rate.ts'
import type { ReadSession } from './io.ts'
import type { CrawlSnapshot } from './live/crawl-snapshot.ts'
import type { SummaryFindings } from './live/summary.ts'
import { toCrawlSnapshot } from './remote-server.ts'
import { storedSnapshot } from './stored-snapshot.ts'

export interface CrawlSource {
  snapshot(): Promise<CrawlSnapshot>
  findings(): Promise<SummaryFindings>
}

export function storeCrawlSource({ id }: Pick<Crawl, 'id'>, readSession: ReadSession): CrawlSource {
  const { crawls, workers, diagnostics } = readSession
  const rate = new RecentRate()
  return {
    async snapshot() {
      const progress = await crawls.progress(id)
      const figures = (await workers.list()).flatMap((worker) =>
        worker.state === 'working' ? worker.figures.crawls : [],
      )
      const inFlight = figures.reduce((sum, crawl) => sum + (crawl.crawlId === id ? crawl.inFlight : 0), 0)
      const pagesPerSecond = rate.addSample(pageCount(progress), Date.now())
      return { ...storedSnapshot(progress, await readSession.holdReason(id)), inFlight, pagesPerSecond }
    },
    findings: async () => ({
      reasons: await crawls.reasons(id),
      brokenSitemaps: await diagnostics.brokenSitemaps(id),
      traps: excludedPatterns(await diagnostics.patterns(id)),
    }),
  }
}

export function serverCrawlSource(crawlId: string, client: Client): CrawlSource {
  const params = { crawl_id: crawlId }
  return {
    async snapshot() {
      const crawl = await client.getCrawl({ params })
      const sitemapOnly = crawl.settings['sitemap_only'] === true
      return { ...toCrawlSnapshot(crawl), rejected: crawl.rejected, sitemapOnly }
    },
    async findings() {
      const { items } = await client.listTraps({ params })
      const { reasons } = await client.getStats({ params })
      const sitemaps = await client.listBrokenSitemaps({ params })
      return {
        reasons: Object.fromEntries(reasons.map(({ key, count }) => [key, count])),
        brokenSitemaps: sitemaps.items,
        traps: excludedPatterns(items.map(({ saved, ...item }) => ({ ...item, excludedUrls: saved }))),
      }
    },
  }
}
