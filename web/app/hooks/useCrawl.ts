import { useEffect, useRef, useState } from 'react'
import { useStore } from '../page/store.ts'
import { type Crawl, type CrawlProgress, client, queryClient, toQueryKey, useApi } from '../server/api.ts'
import { connectionStore } from '../server/connection.ts'
import { followCrawl, type LiveTransport } from '../server/follow-crawl.ts'
import { addSample } from '../server/progress-samples.ts'
import { isLive } from '../text/states.ts'

const LIVE_INTERVAL_MS = 1000
/** Longer than the server keeps the figures of a crawl that is not huge. */
const STATS_CACHE_MS = 3000

/** A crawl, kept up to date by useLiveCrawl in the frame around every scene of a crawl. */
export function useCrawl(crawlId: string) {
  return useApi('getCrawl', { params: { crawl_id: crawlId } })
}

/** Follows a crawl while it is live and puts what comes into the cache that useCrawl reads. */
export function useLiveCrawl(crawlId: string, status: Crawl['status'] | undefined): LiveTransport {
  const [link, setLink] = useState<LiveTransport>('connecting')
  const isUp = useStore(connectionStore) === 'up'
  useFinalStats(crawlId, status)
  const isFollowed = status !== undefined && isLive(status) && isUp
  useEffect(() => {
    if (!isFollowed) return
    return followCrawl({
      openSocket: () => new WebSocket(socketUrl(crawlId)),
      poll: () => client.getCrawl({ params: { crawl_id: crawlId } }),
      random: Math.random,
      after: (ms, run) => {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onProgress: (progress) => cacheProgress(progress),
      onLink: setLink,
    })
  }, [crawlId, isFollowed])
  return link
}

/** The answer of a call that changed the crawl, or a step of its progress. */
export function cacheProgress(progress: CrawlProgress | Crawl): void {
  addSample(progress, Date.now())
  queryClient.setQueryData<Crawl>(toQueryKey('getCrawl', { params: { crawl_id: progress.crawl_id } }), (known) =>
    known === undefined ? undefined : { ...known, ...progress },
  )
}

/**
 * The figures beside the ledger are made by the server on request, so they are read when the crawl has ended, however
 * that was learnt. The server may answer once more with figures that it made shortly before, so they are read again.
 */
function useFinalStats(crawlId: string, status: Crawl['status'] | undefined): void {
  const liveId = useRef<string | null>(null)
  useEffect(() => {
    if (status === undefined) return
    const hasEnded = liveId.current === crawlId && !isLive(status)
    liveId.current = isLive(status) ? crawlId : null
    if (!hasEnded) return
    const read = () => queryClient.invalidateQueries({ predicate: isAboutCrawl(crawlId) })
    void read()
    const timer = setTimeout(() => void read(), STATS_CACHE_MS)
    return () => clearTimeout(timer)
  }, [crawlId, status])
}

function isAboutCrawl(crawlId: string) {
  return ({ queryKey }: { queryKey: readonly unknown[] }): boolean => {
    const given = queryKey[1] as { params?: { crawl_id?: string } } | undefined
    return given?.params?.crawl_id === crawlId && queryKey[0] !== 'getCrawl'
  }
}

function socketUrl(crawlId: string): string {
  const url = new URL(`/api/v1/crawls/${encodeURIComponent(crawlId)}/ws`, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('interval_ms', String(LIVE_INTERVAL_MS))
  return url.href
}
