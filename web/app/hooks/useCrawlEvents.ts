import { useEffect, useState } from 'react'
import { useStore } from '../page/store.ts'
import { type CrawlProgress, queryClient, refetchQueries, routeUrl, toQueryKey } from '../server/api.ts'
import { connectionStore } from '../server/connection.ts'

const INTERVAL_MS = 1000

interface CrawlPage {
  items: CrawlProgress[]
}
interface CrawlPages {
  pages: CrawlPage[]
}

/** Keeps cached lists of crawls up to date. Returns false while there is no stream, so the caller can poll instead. */
export function useCrawlEvents(): boolean {
  const [isStreaming, setIsStreaming] = useState(false)
  const isUp = useStore(connectionStore) === 'up'
  useEffect(() => {
    if (!isUp) return
    const events = new EventSource(routeUrl('streamEvents', { query: { interval_ms: INTERVAL_MS } }))
    events.addEventListener('open', () => setIsStreaming(true))
    events.addEventListener('error', () => setIsStreaming(false))
    events.addEventListener('crawl', (event: MessageEvent<string>) =>
      updateCachedLists(JSON.parse(event.data) as CrawlProgress),
    )
    events.addEventListener('removed', () => void refetchQueries({ queryKey: toQueryKey('listCrawls') }))
    return () => {
      events.close()
      setIsStreaming(false)
    }
  }, [isUp])
  return isStreaming
}

function updateCachedLists(progress: CrawlProgress): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: toQueryKey('listCrawls') })) {
    const data = query.state.data as CrawlPages | CrawlPage | undefined
    if (data === undefined || !('pages' in data)) continue
    const known = data.pages.flatMap(({ items }) => items).find((crawl) => crawl.crawl_id === progress.crawl_id)
    if (known !== undefined) query.setData({ ...data, pages: data.pages.map((page) => withProgress(page, progress)) })
    // A new crawl, or one whose new status may no longer match the filter, needs a refetch of the list.
    if (known?.status !== progress.status) void refetchQueries({ queryKey: query.queryKey })
  }
}

function withProgress(page: CrawlPage, progress: CrawlProgress): CrawlPage {
  return { ...page, items: page.items.map((crawl) => (crawl.crawl_id === progress.crawl_id ? progress : crawl)) }
}
