import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isRestoredNavigation } from '../../page/restored-navigation.ts'
import { client, toQueryKey, type Url } from '../../server/api.ts'
import type { UrlQuery } from './filters.ts'
import { countRows, FIRST_PAGE, type PageCursors, pagesToRead, withPage } from './page-cursors.ts'

export const PAGE_ROWS = 200
/** Browsers cannot scroll further than some ten million pixels; with 32 a row this stays below in all of them. */
export const MAX_ROWS = 500_000

export interface UrlPages {
  rows: number
  rowAt: (index: number) => Url | undefined
  isFirstPending: boolean
  error: Error | null
  refetch: () => void
}

/**
 * The urls behind the rows that are in sight. `place` names list and filters; the way through the list is kept under it
 * for as long as the tab lives, so that loading the page anew or going back leads to the same rows.
 */
export function useUrlPages(
  crawlId: string,
  query: UrlQuery,
  options: { place: string; inSight: { first: number; last: number }; everyMs: number | false },
): UrlPages {
  const { place, inSight, everyMs } = options
  const [way, setWay] = useState<PageCursors>(() => readStoredCursors(place))
  const wanted = pagesToRead(way, inSight, PAGE_ROWS)
  const answers = useQueries({
    queries: wanted.map((at) => {
      const cursor = way.cursors[at] ?? null
      const given = {
        params: { crawl_id: crawlId },
        query: { ...query, limit: PAGE_ROWS, ...(cursor === null ? {} : { cursor }) },
      }
      return {
        queryKey: toQueryKey('listUrls', given),
        queryFn: ({ signal }: { signal: AbortSignal }) => client.listUrls(given, { signal }),
        refetchInterval: everyMs,
        gcTime: 30_000,
      }
    }),
  })
  const loaded = answers.map(({ data }, i) => ({ at: wanted[i] ?? 0, data }))

  useEffect(() => {
    let next = way
    for (const { at, data } of loaded) if (data !== undefined) next = withPage(next, at, data, PAGE_ROWS)
    if (next !== way) setWay(next)
  })
  useEffect(() => sessionStorage.setItem(`${place}#way`, JSON.stringify(way)), [place, way])

  return {
    rows: Math.min(MAX_ROWS, countRows(way, PAGE_ROWS)),
    rowAt: (index) => loaded.find(({ at }) => at === Math.floor(index / PAGE_ROWS))?.data?.items[index % PAGE_ROWS],
    isFirstPending: answers.every(({ data }) => data === undefined) && answers.every(({ error }) => error === null),
    error: answers.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    refetch: () => void Promise.all(answers.map((answer) => answer.refetch())),
  }
}

function readStoredCursors(place: string): PageCursors {
  const kept = isRestoredNavigation() ? sessionStorage.getItem(`${place}#way`) : null
  return kept === null ? FIRST_PAGE : (JSON.parse(kept) as PageCursors)
}
