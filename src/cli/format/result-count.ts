import type { ClientResponse } from '../../api/client.ts'
import { groupDigits, pluralize } from './units.ts'

export interface ResultCounts extends Pick<ClientResponse<'search'>, 'total' | 'total_is_exact' | 'took_ms'> {
  results: readonly { similar: number }[]
}

/** How many pages were found and how many of them are shown. */
export function resultCountLine({
  results,
  total,
  total_is_exact: isTotalExact,
  took_ms: tookMs,
}: ResultCounts): string {
  const about = isTotalExact ? '' : 'more than '
  return `${about}${pluralize(total, 'page')} in ${groupDigits(Math.round(tookMs))} ms${shownText(results, total, isTotalExact)}`
}

function shownText(hits: ResultCounts['results'], total: number, isTotalExact: boolean): string {
  const shown = hits.length
  if (shown >= total) return ''
  const grouped = hits.reduce((sum, { similar }) => sum + similar, 0)
  const isAll = isTotalExact && shown + grouped >= total
  const first = isAll ? '' : 'the first '
  const collapsed = grouped === 0 ? '' : `, ${pluralize(grouped, 'near-duplicate')} collapsed`
  return `, ${first}${shown} shown${collapsed}`
}
