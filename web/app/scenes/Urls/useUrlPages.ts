import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isRestoredNavigation } from '../../page/restored-navigation.ts'
import { client, toQueryKey, type Url } from '../../server/api.ts'
import type { UrlQuery } from './filters.ts'
import { countRows, FIRST_PAGE, type PageCursors, pagesToRead, withPage } from './page-cursors.ts'

const PAGE_ROWS = 200
/** Browsers cannot scroll beyond about 17 million pixels. At 32 px per row, this stays below the limit. */
export const MAX_ROWS = 500_000

export interface UrlPages {
  rows: number
  rowAt: (index: number) => Url | undefined
  isFirstPending: boolean
  error: Error | null
  refetch: () => void
}

/**
 * The URLs of the visible rows. `listKey` identifies list and filters. The cursors are stored under it for the lifetime
 * of the browser tab, so a reload or the back button returns to the same rows.
 */
export function useUrlPages(
  crawlId: string,
  query: UrlQuery,
  options: { listKey: string; visible: { first: number; last: number }; intervalMs: number | false },
): UrlPages {
  const { listKey, visible, intervalMs } = options
  const [pageCursors, setPageCursors] = useState<PageCursors>(() => readStoredCursors(listKey))
  const wanted = pagesToRead(pageCursors, visible, PAGE_ROWS)
  const queries = useQueries({
    queries: wanted.map((at) => {
      const cursor = pageCursors.cursors[at] ?? null
      const input = {
        params: { crawl_id: crawlId },
        query: { ...query, limit: PAGE_ROWS, ...(cursor === null ? {} : { cursor }) },
      }
      return {
        queryKey: toQueryKey('listUrls', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => client.listUrls(input, { signal }),
        refetchInterval: intervalMs,
        gcTime: 30_000,
      }
    }),
  })
  const loaded = queries.map(({ data }, i) => ({ at: wanted[i] ?? 0, data }))

  useEffect(() => {
    let next = pageCursors
    for (const { at, data } of loaded) if (data !== undefined) next = withPage(next, at, data, PAGE_ROWS)
    if (next !== pageCursors) setPageCursors(next)
  })
  useEffect(() => sessionStorage.setItem(`${listKey}#cursors`, JSON.stringify(pageCursors)), [listKey, pageCursors])

  return {
    rows: Math.min(MAX_ROWS, countRows(pageCursors, PAGE_ROWS)),
    rowAt: (index) => loaded.find(({ at }) => at === Math.floor(index / PAGE_ROWS))?.data?.items[index % PAGE_ROWS],
    isFirstPending: queries.every(({ data }) => data === undefined) && queries.every(({ error }) => error === null),
    error: queries.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    refetch: () => void Promise.all(queries.map((query) => query.refetch())),
  }
}

function readStoredCursors(listKey: string): PageCursors {
  const stored = isRestoredNavigation() ? sessionStorage.getItem(`${listKey}#cursors`) : null
  return stored === null ? FIRST_PAGE : (JSON.parse(stored) as PageCursors)
}
