// The columns of the URL table. The selection of columns is stored in the browser.

import type { ReactNode } from 'react'
import { Badge, StateBadge } from '../../components/display/Badge.tsx'
import { RelativeTime } from '../../components/display/RelativeTime.tsx'
import { createStore } from '../../page/store.ts'
import type { Url } from '../../server/api.ts'
import { formatBytes, formatDuration, formatNumber } from '../../text/format.ts'
import { contentProblem, reasonText } from '../../text/reasons.ts'
import type { SortKey } from './filters.ts'

export interface Column {
  id: string
  label: string
  /** A CSS grid track. */
  width: string
  sort?: SortKey
  isNumber?: boolean
  show: (url: Url) => ReactNode
}

const none = <span className="text-muted">–</span>

/** Unreadable content, such as a broken PDF, is reported here, whichever columns are shown. */
function showTitle(url: Url): ReactNode {
  const problem = contentProblem(url)
  if (problem === null) return url.title ?? none
  return (
    <>
      {url.title} <Badge tone="warn">{problem}</Badge>
    </>
  )
}

/** The columns after the URL, which is always first. */
export const COLUMNS: readonly Column[] = [
  { id: 'state', label: 'State', width: '6.5rem', show: (url) => <StateBadge state={url.state} /> },
  {
    id: 'status',
    label: 'Status',
    width: '4.25rem',
    sort: 'status',
    isNumber: true,
    show: (url) => url.http_status ?? none,
  },
  { id: 'title', label: 'Title', width: 'minmax(12rem,4fr)', show: showTitle },
  { id: 'type', label: 'Type', width: '7rem', show: (url) => url.content_type?.split(';')[0] ?? none },
  {
    id: 'size',
    label: 'Size',
    width: '4.5rem',
    sort: 'size',
    isNumber: true,
    show: (url) => (url.content_length === null ? none : formatBytes(url.content_length)),
  },
  {
    id: 'time',
    label: 'Duration',
    width: '5.25rem',
    sort: 'time',
    isNumber: true,
    show: (url) => (url.fetch_ms === null ? none : formatDuration(url.fetch_ms)),
  },
  {
    id: 'depth',
    label: 'Depth',
    width: '4.25rem',
    sort: 'depth',
    isNumber: true,
    show: (url) => formatNumber(url.depth),
  },
  { id: 'attempts', label: 'Attempts', width: '5rem', isNumber: true, show: (url) => formatNumber(url.attempts) },
  {
    id: 'reason',
    label: 'Reason',
    width: '10rem',
    show: (url) => (url.reason === null ? none : reasonText(url.reason)),
  },
  { id: 'host', label: 'Host', width: '11rem', show: (url) => url.host },
  {
    id: 'visited',
    label: 'Visited',
    width: '7rem',
    sort: 'visited',
    show: (url) => (url.visited_at === null ? none : <RelativeTime at={url.visited_at} />),
  },
  {
    id: 'found',
    label: 'Discovered',
    width: '7rem',
    sort: 'found',
    show: (url) => <RelativeTime at={url.first_seen_at} />,
  },
]

const KEY = 'orbweaver.url-columns'
const DEFAULT_COLUMNS: readonly string[] = ['state', 'status', 'title', 'type', 'size', 'time', 'depth']

export const columnStore = createStore<readonly string[]>(readStoredColumns())

export function setColumn(id: string, isShown: boolean): void {
  const others = columnStore.get().filter((other) => other !== id)
  const shown = isShown ? [...others, id] : others
  localStorage.setItem(KEY, shown.join(' '))
  columnStore.set(shown)
}

export function shownColumns(ids: readonly string[]): Column[] {
  return COLUMNS.filter(({ id }) => ids.includes(id))
}

function readStoredColumns(): readonly string[] {
  return localStorage.getItem(KEY)?.split(' ') ?? DEFAULT_COLUMNS
}
