// Several parts of a server look at all crawls about once a second: the store is asked once for all of them.

import type { Clock } from '../../lib/clock.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'

const FRESH_MS = 500

export interface CrawlListCache {
  list(): Promise<CrawlProgress[]>
  /** What was read is out of date. */
  invalidate(): void
}

export function createCrawlListCache(crawls: Pick<Crawls, 'list'>, clock: Clock): CrawlListCache {
  let latest: Promise<CrawlProgress[]> | null = null
  let askedAt = 0
  const ask = (): Promise<CrawlProgress[]> => {
    const asked = crawls.list()
    asked.catch(() => {
      if (latest === asked) latest = null
    })
    return asked
  }
  return {
    list() {
      const now = clock.now()
      if (latest !== null && now >= askedAt && now - askedAt < FRESH_MS) return latest
      askedAt = now
      latest = ask()
      return latest
    },
    invalidate() {
      latest = null
    },
  }
}
