import { type CrawlProgress, useApi } from '../server/api.ts'
import { crawlStatusStyle } from '../text/states.ts'

const STALE_MS = 60_000

/** The most common reason of a crawl that visited nothing. Null for other crawls and while loading. */
export function useMostCommonReason(crawl: CrawlProgress): string | null {
  const { isFruitless } = crawlStatusStyle(crawl)
  const stats = useApi(
    'getStats',
    { params: { crawl_id: crawl.crawl_id } },
    { enabled: isFruitless, staleTime: STALE_MS },
  )
  if (!isFruitless) return null
  return stats.data?.reasons.toSorted((a, b) => b.count - a.count)[0]?.key ?? null
}
