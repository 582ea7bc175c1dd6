// Caches the list of all crawls for half a second, because several parts of a server poll it.

import type { Clock } from '../../lib/clock.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'

const FRESH_MS = 500

export interface CrawlListCache {
  list(): Promise<CrawlProgress[]>
  invalidate(): void
}

export function createCrawlListCache(crawls: Pick<Crawls, 'list'>, clock: Clock): CrawlListCache {
  let latest: Promise<CrawlProgress[]> | null = null
  let readAt = 0
  const read = (): Promise<CrawlProgress[]> => {
    const list = crawls.list()
    list.catch(() => {
      if (latest === list) latest = null
    })
    return list
  }
  return {
    list() {
      const now = clock.now()
      if (latest !== null && now >= readAt && now - readAt < FRESH_MS) return latest
      readAt = now
      latest = read()
      return latest
    },
    invalidate() {
      latest = null
    },
  }
}
