import { keepPreviousData } from '@tanstack/react-query'
import { type Crawl, type Stats, useApi } from '../../server/api.ts'
import type { StateCounts } from '../../text/ledger.ts'
import { leftOutText } from '../../text/reasons.ts'
import { URL_STATE_ORDER } from '../../text/states.ts'
import { type Filters, toUrlQuery } from './filters.ts'

export interface UrlMatches {
  /** URLs by state that match all other filters. */
  states: StateCounts
  /** Why URLs were left out, as far as it is counted. */
  reasons: Stats['reasons']
  /** URLs that match all filters. */
  total: number
  /** False if the crawl is so large that only a part of it was counted. */
  isComplete: boolean
}

/** How many URLs the filters match. If there are only filters by state, the counters of the crawl are used. */
export function useUrlCounts(crawl: Crawl | undefined, filters: Filters, refreshMs: number | false): UrlMatches | null {
  const { state: _state, ...query } = toUrlQuery(filters)
  const isCounted = Object.keys(query).length > 0
  const { data } = useApi(
    'countUrls',
    { params: { crawl_id: crawl?.crawl_id ?? '' }, query },
    { enabled: crawl !== undefined && isCounted, refetchInterval: refreshMs, placeholderData: keepPreviousData },
  )
  const stats = useApi(
    'getStats',
    { params: { crawl_id: crawl?.crawl_id ?? '' } },
    { enabled: crawl !== undefined && !isCounted, refetchInterval: refreshMs },
  )
  if (crawl === undefined || (isCounted && data === undefined)) return null
  const states: StateCounts = isCounted ? (data?.states ?? {}) : crawl.states
  const wanted = filters.state.length === 0 ? URL_STATE_ORDER : filters.state
  return {
    states,
    reasons: isCounted ? countedReasons(filters.reason, states) : (stats.data?.reasons ?? []),
    total: wanted.reduce((sum, state) => sum + (states[state] ?? 0), 0),
    isComplete: isCounted ? data?.is_complete === true : true,
  }
}

/** Counts are by state, so only the reason of the filter itself is known. */
function countedReasons(reason: string, { excluded = 0 }: StateCounts): Stats['reasons'] {
  return leftOutText(reason) === null ? [] : [{ key: reason, count: excluded }]
}
