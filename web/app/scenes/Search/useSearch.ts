import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { client } from '../../server/api.ts'
import type { SearchViewState } from './view-state.ts'

/** The answers to a query, page after page. The one before stays in view until the next is there. */
export function useSearch(place: SearchViewState) {
  const { q, sort, crawl, isExplained, isFolded } = place
  return useInfiniteQuery({
    queryKey: ['search', q, sort, crawl, isExplained, isFolded],
    queryFn: ({ pageParam, signal }) =>
      client.search(
        {
          query: {
            q,
            sort,
            limit: 10,
            facets: pageParam === null ? 'true' : 'false',
            explain: isExplained ? 'true' : 'false',
            fold: isFolded ? 'true' : 'false',
            ...(crawl === null ? {} : { crawl }),
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}
