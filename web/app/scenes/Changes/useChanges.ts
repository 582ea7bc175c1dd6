import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import { client, queryClient, useApi } from '../../server/api.ts'
import type { Change, ChangeCounts } from '../../text/changes.ts'
import { type ChangeFilters, countSelected, toFeedQuery } from './filters.ts'

const REFRESH_MS = 3000
const PAGE_SIZE = 100

export interface ChangePages {
  changes: Change[]
  counts: ChangeCounts | undefined
  isPending: boolean
  error: Error | null
  hasMore: boolean
  /** Changes were published that the list does not have yet. */
  hasNews: boolean
  loadMore: () => void
  /** Returns to the newest changes. */
  refresh: () => void
}

/**
 * The changes of a crawl, newest first. While the crawl is live, only the counts are polled: the list follows at once
 * if `isAtTop`, otherwise rows would move under the pointer.
 */
export function useChanges(
  crawlId: string,
  filters: ChangeFilters,
  { isPolled, isAtTop }: { isPolled: boolean; isAtTop: boolean },
): ChangePages {
  const counts = useApi('countChanges', { query: { crawl_id: crawlId } }, { refetchInterval: isPolled && REFRESH_MS })
  const queryKey = ['listChanges', { params: { crawl_id: crawlId } }, filters]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      client.listChanges(
        {
          query: {
            ...toFeedQuery(filters),
            crawl_id: crawlId,
            limit: PAGE_SIZE,
            ...(filters.url === '' ? {} : { url: filters.url }),
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Counts are read first, so the list has at least what they count.
    enabled: counts.isFetched,
    refetchOnWindowFocus: false,
  })
  const published = counts.data === undefined ? null : countSelected(counts.data, filters)
  const [listed, setListed] = useState(published)
  const hasNews = published !== null && listed !== null && published > listed
  const refresh = (): void => {
    setListed(published)
    queryClient.setQueryData<ListData>(queryKey, (data) => data && firstPage(data))
    void list.refetch()
  }
  useEffect(() => {
    if (listed === null && published !== null) setListed(published)
    else if (hasNews && isAtTop) refresh()
  })

  return {
    changes: list.data?.pages.flatMap(({ items }) => items) ?? [],
    counts: counts.data,
    isPending: list.isPending && counts.error === null,
    error: list.data === undefined ? (list.error ?? counts.error) : null,
    hasMore: list.hasNextPage,
    hasNews,
    loadMore: () => {
      if (list.hasNextPage && !list.isFetching) void list.fetchNextPage()
    },
    refresh,
  }
}

type ListData = InfiniteData<RouteResponse<'listChanges'>, string | null>

function firstPage({ pages, pageParams }: ListData): ListData {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}
