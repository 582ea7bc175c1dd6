import { useEffect, useState } from 'react'
import { addressOf, type CrawlProgress, keyOf, queryClient } from '../api.ts'
import { connectionStore } from '../connection.ts'
import { useStore } from '../store.ts'

const EVERY_MS = 1000

interface CrawlPage {
  items: CrawlProgress[]
}
interface CrawlPages {
  pages: CrawlPage[]
}

/** Keeps cached lists of crawls up to date. False while there is no stream, so that the list can ask by itself. */
export function useCrawlEvents(): boolean {
  const [isStreaming, setIsStreaming] = useState(false)
  const isUp = useStore(connectionStore) === 'up'
  useEffect(() => {
    if (!isUp) return
    const events = new EventSource(addressOf('streamEvents', { query: { interval_ms: EVERY_MS } }))
    events.addEventListener('open', () => setIsStreaming(true))
    events.addEventListener('error', () => setIsStreaming(false))
    events.addEventListener('crawl', (event: MessageEvent<string>) =>
      putInLists(JSON.parse(event.data) as CrawlProgress),
    )
    events.addEventListener('removed', () => void queryClient.invalidateQueries({ queryKey: keyOf('listCrawls') }))
    return () => {
      events.close()
      setIsStreaming(false)
    }
  }, [isUp])
  return isStreaming
}

function putInLists(progress: CrawlProgress): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: keyOf('listCrawls') })) {
    const data = query.state.data as CrawlPages | CrawlPage | undefined
    if (data === undefined || !('pages' in data)) continue
    const known = data.pages.flatMap(({ items }) => items).find((crawl) => crawl.crawl_id === progress.crawl_id)
    if (known !== undefined) query.setData({ ...data, pages: data.pages.map((page) => withProgress(page, progress)) })
    // A crawl that is new here, or that a filter by state may now show or hide, is found by reading the list anew.
    if (known?.status !== progress.status) void queryClient.invalidateQueries({ queryKey: query.queryKey })
  }
}

function withProgress(page: CrawlPage, progress: CrawlProgress): CrawlPage {
  return { ...page, items: page.items.map((crawl) => (crawl.crawl_id === progress.crawl_id ? progress : crawl)) }
}
