// Translates a filter to SQL on the table of documents, `d`, with separate values.

import type { Range, SearchFilter } from '../../../ports/search.ts'
import { type FingerprintHalves, nearbyHalves } from '../../rank/fingerprint.ts'
import { hostKey, prefixUpperBound } from '../host-key.ts'

type SqlValue = string | number | null

export interface FilterSql {
  sql: string
  values: SqlValue[]
  /** Whether there are conditions other than expiry. */
  hasConditions: boolean
}

/** `target` is the fingerprint of the page whose near-duplicates are requested; undefined if there is none. */
export function toFilterSql(filter: SearchFilter, now: number, target: FingerprintHalves | undefined): FilterSql {
  const all: [sql: string, ...values: SqlValue[]][] = []
  if (filter.crawlIds !== null) {
    const chosen = 'select id from crawls where uuid in (select value from json_each(?))'
    all.push([`d.crawl in (${chosen})`, JSON.stringify(filter.crawlIds)])
  }
  if (filter.hosts.length > 0) all.push(hostCondition(filter.hosts))
  if (filter.notHosts.length > 0) {
    const [sql, ...values] = hostCondition(filter.notHosts)
    all.push([`not ${sql}`, ...values])
  }
  if (filter.path !== null) all.push(['substr(d.url, d.path_start + 1, ?) = ?', filter.path.length, filter.path])
  if (filter.lang !== null) all.push(['d.lang = ?', filter.lang])
  if (filter.type !== null) all.push(['substr(d.content_type, 1, ?) = ?', filter.type.length, filter.type])
  if (filter.httpStatus !== null) all.push(['d.http_status = ?', filter.httpStatus])
  const ranges: [string, Range | null][] = [
    ['d.depth', filter.depth],
    ['d.size', filter.size],
    ['d.inlinks', filter.inlinks],
    ['d.visited_at', filter.visited],
    ['d.changed_at', filter.changed],
  ]
  for (const [column, range] of ranges) {
    if (range !== null && range.min !== null) all.push([`${column} >= ?`, range.min])
    if (range !== null && range.max !== null) all.push([`${column} <= ?`, range.max])
  }
  if (filter.nearDuplicateOf !== null) all.push(...nearDuplicateConditions(filter.nearDuplicateOf, target))
  const isNarrow = all.length > 0
  all.push(['(d.expires_at is null or d.expires_at > ?)', now])
  return {
    sql: all.map(([sql]) => sql).join(' and '),
    values: all.flatMap(([, ...values]) => values),
    hasConditions: isNarrow,
  }
}

function hostCondition(hosts: string[]): [string, ...SqlValue[]] {
  const parts = hosts.map((host): [string, ...SqlValue[]] => {
    if (!host.startsWith('.')) return ['d.host_key = ?', hostKey(host)]
    const start = hostKey(host.slice(1))
    return ['(d.host_key >= ? and d.host_key < ?)', start, prefixUpperBound(start)]
  })
  return [`(${parts.map(([sql]) => sql).join(' or ')})`, ...parts.flatMap(([, ...values]) => values)]
}

/** Preselects documents with one nearly equal half; the caller computes the distance. */
function nearDuplicateConditions(pageId: number, target: FingerprintHalves | undefined): [string, ...SqlValue[]][] {
  if (target === undefined) return [['d.page_id = ?', pageId]]
  const list = (half: number) => nearbyHalves(half).join(', ')
  return [[`(d.print_high in (${list(target.high)}) or d.print_low in (${list(target.low)}))`]]
}
