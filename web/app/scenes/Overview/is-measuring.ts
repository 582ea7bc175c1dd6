import type { CrawlProgress } from '../../server/api.ts'

/** Workers report their phases every few seconds, so a new crawl has no figures at first. */
const FIRST_FIGURES_MS = 5000

type CrawlActivity = Pick<CrawlProgress, 'created_at' | 'in_flight' | 'pages_per_second'>

export function isMeasuring(crawl: CrawlActivity, nowMs: number): boolean {
  return nowMs - Date.parse(crawl.created_at) < FIRST_FIGURES_MS || crawl.in_flight > 0 || crawl.pages_per_second > 0
}
