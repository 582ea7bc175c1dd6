// The filters and sort order of the URL table, read from the URL. The parameter names are those of listUrls, so the
// table and the export use the same filters.

import { withValues } from '../../page/query.ts'
import type { client, UrlState } from '../../server/api.ts'
import type { LedgerPart } from '../../text/ledger.ts'
import { leftOutText, reasonText } from '../../text/reasons.ts'
import { isUrlState, URL_STATE_STYLES } from '../../text/states.ts'
import { lowerFirst } from '../../text/words.ts'

export interface Filters {
  state: UrlState[]
  text: string
  host: string
  status: string
  type: string
  reason: string
  depth: string
}

export const TEXT_FILTERS = ['text', 'host', 'status', 'type', 'reason', 'depth'] as const
export type TextFilter = (typeof TEXT_FILTERS)[number]

export const FILTER_LABELS: Record<TextFilter, string> = {
  text: 'URL or title',
  host: 'Host',
  status: 'Status',
  type: 'Type',
  reason: 'Reason',
  depth: 'Depth',
}

export const FILTER_HINTS: Record<TextFilter, string> = {
  text: 'Part of the URL or title',
  host: 'www.example.com',
  status: '404 or 5xx',
  type: 'text/html',
  reason: 'timeout',
  depth: '2',
}

const SORTS = ['found', 'url', 'depth', 'status', 'time', 'size', 'visited'] as const
export type SortKey = (typeof SORTS)[number]

export interface Sort {
  key: SortKey
  order: 'asc' | 'desc'
}

export type UrlQuery = NonNullable<Parameters<typeof client.listUrls>[0]['query']>

export function readFilters(query: URLSearchParams): Filters {
  const text = (name: TextFilter): string => query.get(name) ?? ''
  return {
    state: [...new Set(query.getAll('state').filter(isUrlState))],
    text: text('text'),
    host: text('host'),
    status: text('status'),
    type: text('type'),
    reason: text('reason'),
    depth: text('depth'),
  }
}

export function readSort(query: URLSearchParams): Sort {
  const key = SORTS.find((known) => known === query.get('sort')) ?? 'found'
  return { key, order: query.get('order') === 'desc' ? 'desc' : 'asc' }
}

/** The filters as query parameters of the API, which rejects an invalid depth or status itself. */
export function toUrlQuery(filters: Filters): Omit<UrlQuery, 'limit' | 'cursor' | 'sort' | 'order'> {
  const { state, depth, ...texts } = filters
  const textFilters = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''))
  return {
    ...textFilters,
    ...(state.length === 0 ? {} : { state }),
    ...(depth === '' ? {} : { depth }),
  }
}

/** Whether the filters select the left-out URLs, which are a part of the excluded URLs. */
function isLeftOut({ state, reason }: Filters): boolean {
  return state.length === 1 && state[0] === 'excluded' && leftOutText(reason) !== null
}

export function isPartOn(filters: Filters, { filter }: Pick<LedgerPart, 'filter'>): boolean {
  if (filter.reason !== undefined) return isLeftOut(filters) && filters.reason === filter.reason
  return !isLeftOut(filters) && filters.state.includes(filter.state)
}

/** The filters after a part is switched on or off. States add up; a part with a reason is selected alone. */
export function togglePart(filters: Filters, part: Pick<LedgerPart, 'filter'>): Pick<Filters, 'state' | 'reason'> {
  const { state, reason } = part.filter
  const isOn = isPartOn(filters, part)
  if (reason !== undefined) return isOn ? { state: [], reason: '' } : { state: [state], reason }
  if (isLeftOut(filters)) return { state: [state], reason: '' }
  const others = filters.state.filter((other) => other !== state)
  return { state: isOn ? others : [...others, state], reason: filters.reason }
}

export interface FilterChip {
  name: 'state' | TextFilter
  value: string
  label: string
}

export function toFilterChips(filters: Filters): FilterChip[] {
  const states = filters.state.map(
    (state): FilterChip => ({ name: 'state', value: state, label: URL_STATE_STYLES[state].label }),
  )
  const isShownAsPart = (name: TextFilter): boolean => name === 'reason' && isLeftOut(filters)
  const texts = TEXT_FILTERS.filter((name) => filters[name] !== '' && !isShownAsPart(name)).map(
    (name): FilterChip => ({
      name,
      value: filters[name],
      label: `${FILTER_LABELS[name]}: ${shownValue(name, filters)}`,
    }),
  )
  return [...states, ...texts]
}

function shownValue(name: TextFilter, filters: Filters): string {
  return name === 'reason' ? lowerFirst(reasonText(filters.reason)) : filters[name]
}

/** A copy of the query without this filter. */
export function withoutChip(query: URLSearchParams, chip: FilterChip): URLSearchParams {
  if (chip.name !== 'state') return withValues(query, { [chip.name]: '' })
  return withValues(query, { state: query.getAll('state').filter((state) => state !== chip.value) })
}

/** A copy of the query without any filter. The order and the columns stay. */
export function withoutFilters(query: URLSearchParams): URLSearchParams {
  return withValues(query, Object.fromEntries(['state', ...TEXT_FILTERS].map((name) => [name, ''])))
}

/** The first click sorts ascending, the second descending, the third returns to the order of discovery. */
export function nextSort(sort: Sort, key: SortKey): Sort {
  if (sort.key !== key) return { key, order: 'asc' }
  return sort.order === 'asc' ? { key, order: 'desc' } : { key: 'found', order: 'asc' }
}
