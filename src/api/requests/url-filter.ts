// Converts the URL filters of a request and applies them to rows.

import type { z } from 'zod'
import type { UrlFilter } from '../../ports/browse.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { urlFilters } from '../contract/urls.ts'

type FilterQuery = z.output<typeof urlFilters>

export function toUrlFilter(query: FilterQuery): UrlFilter {
  const { state, status } = query
  return {
    states: state === undefined ? null : Array.isArray(state) ? state : [state],
    reason: query.reason ?? null,
    host: query.host?.toLowerCase() ?? null,
    depth: query.depth ?? null,
    httpStatus: status === undefined ? null : Number(status.replace('xx', '')),
    contentType: query.type ?? null,
    text: query.text ?? null,
  }
}

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
