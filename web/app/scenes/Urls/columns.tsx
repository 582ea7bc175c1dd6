// The columns of the URL table. The selection of columns is part of the address; the last one is stored in the browser.

import type { ReactNode } from 'react'
import { Badge, StateBadge } from '../../components/display/Badge.tsx'
import { RelativeTime } from '../../components/display/RelativeTime.tsx'
import { createStore } from '../../page/store.ts'
import type { Url } from '../../server/api.ts'
import type { CsvValue } from '../../text/csv.ts'
import { formatBytes, formatDuration, formatNumber } from '../../text/format.ts'
import { partStyle } from '../../text/ledger.ts'
import { contentProblem, reasonText } from '../../text/reasons.ts'
import type { SortKey } from './filters.ts'

export interface Column {
  id: string
  label: string
  /** A CSS grid track. */
  width: string
  sort?: SortKey
  isNumber?: boolean
  /** The copied value; null if unknown. */
  value: (url: Url) => CsvValue
  /** The displayed value, if different. */
  show?: (url: Url) => ReactNode
}

/** Reports unreadable content, such as a broken PDF, whichever columns are shown. */
function showTitle(url: Url): ReactNode {
  const problem = contentProblem(url)
  if (problem === null) return url.title
  return (
    <>
      {url.title} <Badge tone="warn">{problem}</Badge>
    </>
  )
}

/** The columns after the URL, which is always first. */
export const COLUMNS: readonly Column[] = [
  {
    id: 'state',
    label: 'State',
    width: '10rem',
    value: (url) => partStyle(url).label,
    show: ({ state, reason }) => <StateBadge state={state} reason={reason} />,
  },
  {
    id: 'status',
    label: 'Status',
    width: '4.25rem',
    sort: 'status',
    isNumber: true,
    value: ({ http_status }) => http_status,
    show: ({ http_status }) => http_status,
  },
  {
    id: 'reason',
    label: 'Reason',
    width: 'minmax(9rem,3fr)',
    value: ({ reason }) => (reason === null ? null : reasonText(reason)),
  },
  { id: 'title', label: 'Title', width: 'minmax(12rem,4fr)', value: ({ title }) => title, show: showTitle },
  { id: 'type', label: 'Type', width: '7rem', value: ({ content_type }) => content_type?.split(';')[0] ?? null },
  {
    id: 'size',
    label: 'Size',
    width: '4.5rem',
    sort: 'size',
    isNumber: true,
    value: ({ content_length }) => content_length,
    show: ({ content_length }) => (content_length === null ? null : formatBytes(content_length)),
  },
  {
    id: 'time',
    label: 'Duration',
    width: '5.25rem',
    sort: 'time',
    isNumber: true,
    value: ({ fetch_ms }) => fetch_ms,
    show: ({ fetch_ms }) => (fetch_ms === null ? null : formatDuration(fetch_ms)),
  },
  {
    id: 'depth',
    label: 'Depth',
    width: '4.25rem',
    sort: 'depth',
    isNumber: true,
    value: ({ depth }) => depth,
    show: ({ depth }) => formatNumber(depth),
  },
  {
    id: 'attempts',
    label: 'Attempts',
    width: '5rem',
    isNumber: true,
    value: ({ attempts }) => attempts,
    show: ({ attempts }) => formatNumber(attempts),
  },
  { id: 'host', label: 'Host', width: '11rem', value: ({ host }) => host },
  {
    id: 'visited',
    label: 'Visited',
    width: '7rem',
    sort: 'visited',
    value: ({ visited_at }) => visited_at,
    show: ({ visited_at }) => (visited_at === null ? null : <RelativeTime at={visited_at} />),
  },
  {
    id: 'found',
    label: 'Discovered',
    width: '7rem',
    sort: 'found',
    value: ({ first_seen_at }) => first_seen_at,
    show: ({ first_seen_at }) => <RelativeTime at={first_seen_at} />,
  },
]

const KEY = 'orbweaver.url-columns'
const DEFAULT_COLUMNS: readonly string[] = ['state', 'status', 'reason', 'title', 'size', 'time', 'depth']

/** The columns that a table without columns in its address shows. */
export const columnStore = createStore<readonly string[]>(localStorage.getItem(KEY)?.split(' ') ?? DEFAULT_COLUMNS)

export function storeColumns(ids: readonly string[]): void {
  localStorage.setItem(KEY, ids.join(' '))
  columnStore.set(ids)
}

/** Columns from the address, otherwise the stored ones. */
export function readColumns(query: URLSearchParams, stored: readonly string[]): Column[] {
  const ids = query.get('columns')?.split(',') ?? stored
  return COLUMNS.filter(({ id }) => ids.includes(id))
}
