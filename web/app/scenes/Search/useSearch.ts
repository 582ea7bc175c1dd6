import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { client } from '../../server/api.ts'
import type { SearchViewState } from './view-state.ts'

/** The paginated results of a query. The previous results stay visible while new ones load. */
export function useSearch(viewState: SearchViewState) {
  const { q, sort, crawl, isExplained, isFolded } = viewState
  return useInfiniteQuery({
    queryKey: ['search', q, sort, crawl, isExplained, isFolded],
    queryFn: ({ pageParam, signal }) =>
      client.search(
        {
          query: {
            q,
            sort,
            limit: 10,
            prefer_lang: navigator.language,
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
