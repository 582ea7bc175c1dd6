import { useEffect, useRef, useState } from 'react'
import { useStore } from '../page/store.ts'
import {
  type Crawl,
  type CrawlProgress,
  client,
  queryClient,
  refetchQueries,
  toQueryKey,
  useApi,
} from '../server/api.ts'
import { connectionStore } from '../server/connection.ts'
import { followCrawl, type LiveTransport } from '../server/follow-crawl.ts'
import { addSample } from '../server/progress-samples.ts'
import { isUnfinished } from '../text/states.ts'

const LIVE_INTERVAL_MS = 1000
/** Longer than the server caches the stats of most crawls. */
const STATS_CACHE_MS = 3000
/** A crawl of external crawlers, or whose worker was killed, never gets a duration. */
const DURATION_WAIT_MS = 120_000

/** A crawl from the cache. useLiveCrawl in CrawlFrame keeps it up to date. */
export function useCrawl(crawlId: string) {
  return useApi(
    'getCrawl',
    { params: { crawl_id: crawlId } },
    {
      refetchInterval: ({ state: { data } }) => (data !== undefined && mayLackDuration(data) ? STATS_CACHE_MS : false),
    },
  )
}

/** The worker saves its time shortly after the crawl has ended. */
function mayLackDuration({ status, finished_at, active_ms }: Crawl): boolean {
  if (isUnfinished(status) || active_ms > 0 || finished_at === null) return false
  return Math.abs(Date.now() - Date.parse(finished_at)) < DURATION_WAIT_MS
}

/** Follows a live crawl and writes its progress to the cache that useCrawl reads. */
export function useLiveCrawl(crawlId: string, status: Crawl['status'] | undefined): LiveTransport {
  const [transport, setTransport] = useState<LiveTransport>('connecting')
  const isUp = useStore(connectionStore) === 'up'
  useFinalStats(crawlId, status)
  const isFollowed = status !== undefined && isUnfinished(status) && isUp
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
      onTransport: setTransport,
    })
  }, [crawlId, isFollowed])
  return transport
}

/** Caches a crawl as returned by a mutation, or a progress update. */
export function cacheProgress(progress: CrawlProgress | Crawl): void {
  addSample(progress, Date.now())
  queryClient.setQueryData<Crawl>(toQueryKey('getCrawl', { params: { crawl_id: progress.crawl_id } }), (known) =>
    known === undefined ? undefined : { ...known, ...progress },
  )
}

/**
 * Refetches the crawl and its stats when it ends: stats are not pushed, and the last part of its duration is saved after
 * the end. The server may first return stats cached just before the end, so they are refetched once more after its cache
 * has expired.
 */
function useFinalStats(crawlId: string, status: Crawl['status'] | undefined): void {
  const liveId = useRef<string | null>(null)
  useEffect(() => {
    if (status === undefined) return
    const hasEnded = liveId.current === crawlId && !isUnfinished(status)
    liveId.current = isUnfinished(status) ? crawlId : null
    if (!hasEnded) return
    const refetch = () => refetchQueries({ predicate: isAboutCrawl(crawlId) })
    void refetch()
    const timer = setTimeout(() => void refetch(), STATS_CACHE_MS)
    return () => clearTimeout(timer)
  }, [crawlId, status])
}

function isAboutCrawl(crawlId: string) {
  return ({ queryKey }: { queryKey: readonly unknown[] }): boolean => {
    const input = queryKey[1] as { params?: { crawl_id?: string } } | undefined
    return input?.params?.crawl_id === crawlId
  }
}

function socketUrl(crawlId: string): string {
  const url = new URL(`/api/v1/crawls/${encodeURIComponent(crawlId)}/ws`, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('interval_ms', String(LIVE_INTERVAL_MS))
  return url.href
}
