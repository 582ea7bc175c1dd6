// Filters of urls as requests give them.

import type { z } from 'zod'
import type { UrlFilter } from '../../ports/browse.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { urlFilters } from '../contract/urls.ts'

type FilterQuery = z.output<typeof urlFilters>

export function toUrlFilter(given: FilterQuery): UrlFilter {
  const { state, status } = given
  return {
    states: state === undefined ? null : Array.isArray(state) ? state : [state],
    reason: given.reason ?? null,
    host: given.host?.toLowerCase() ?? null,
    depth: given.depth ?? null,
    httpStatus: status === undefined ? null : Number(status.replace('xx', '')),
    contentType: given.type ?? null,
    text: given.text ?? null,
  }
}

/** Rows that pass, one after the other. */
export async function* filterUrlRows(rows: AsyncIterable<UrlRow>, filter: UrlFilter): AsyncGenerator<UrlRow> {
  for await (const row of rows) if (matchesFilter(row, filter)) yield row
}

function matchesFilter(row: UrlRow, filter: UrlFilter): boolean {
  const { states, reason, host, depth, httpStatus, contentType, text } = filter
  return (
    (states === null || states.includes(row.state)) &&
    (reason === null || row.reason === reason) &&
    (depth === null || row.depth === depth) &&
    (httpStatus === null || matchesStatus(row.httpStatus, httpStatus)) &&
    (contentType === null || (row.contentType ?? '').toLowerCase().startsWith(contentType.toLowerCase())) &&
    (host === null || new URL(row.url).host === host) &&
    (text === null || hasText(row, text.toLowerCase()))
  )
}

function matchesStatus(status: number | null, wanted: number): boolean {
  return wanted < 10 ? Math.floor((status ?? 0) / 100) === wanted : status === wanted
}

function hasText({ url, title }: UrlRow, text: string): boolean {
  return url.toLowerCase().includes(text) || (title ?? '').toLowerCase().includes(text)
}
