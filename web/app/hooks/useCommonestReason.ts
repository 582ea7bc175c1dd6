import { type CrawlProgress, useApi } from '../api.ts'
import { statusLook } from '../states.ts'

const KEPT_MS = 60_000

/** Of a crawl that ended with nothing; null for every other one and until it is known. */
export function useCommonestReason(crawl: CrawlProgress): string | null {
  const { isFruitless } = statusLook(crawl)
  const stats = useApi(
    'getStats',
    { params: { crawl_id: crawl.crawl_id } },
    { enabled: isFruitless, staleTime: KEPT_MS },
  )
  if (!isFruitless) return null
  return stats.data?.reasons.toSorted((a, b) => b.count - a.count)[0]?.key ?? null
}
