// Translates a filter to conditions on `d`, a row of documents, and `r`, the rank of its URL.

import { NEAR_BITS } from '../../../ports/pages.ts'
import type { Range, SearchFilter } from '../../../ports/search.ts'
import { entityTerm } from '../../entity-terms.ts'
import type { SqlParams } from '../sql-params.ts'

/** The page whose near-duplicates are requested. `fingerprint` is null if the page has none. */
export interface NearDuplicateTarget {
  pageId: number
  fingerprint: string | null
  quarters: number[]
}

export function filterConditions(
  filter: SearchFilter,
  target: NearDuplicateTarget | null,
  sqlParams: SqlParams,
): string[] {
  const { crawlIds, hosts, notHosts, names, path, lang, type, httpStatus } = filter
  const all: string[] = []
  if (crawlIds !== null) all.push(`d.crawl = any(${sqlParams.add([...crawlIds], 'text[]')})`)
  if (hosts.length > 0) all.push(`(${hosts.map((host) => hostCondition(host, sqlParams)).join(' or ')})`)
  if (notHosts.length > 0) all.push(`not (${notHosts.map((host) => hostCondition(host, sqlParams)).join(' or ')})`)
  const terms = names.flatMap((name) => entityTerm(name) ?? [])
  if (terms.length > 0) all.push(`d.names @> ${sqlParams.add(terms, 'text[]')}`)
  if (path !== null) all.push(`starts_with(substr(d.url, d.path_at), ${sqlParams.add(path, 'text')})`)
  if (lang !== null) all.push(`d.lang = ${sqlParams.add(lang, 'text')}`)
  if (type !== null) all.push(`starts_with(d.content_type, ${sqlParams.add(type, 'text')})`)
  if (httpStatus !== null) all.push(`d.http_status = ${sqlParams.add(httpStatus, 'int')}`)
  const within = (column: string, range: Range | null) => all.push(...rangeConditions(column, range, sqlParams))
  within('d.depth', filter.depth)
  within('d.content_length', filter.size)
  within('coalesce(r.inlinks, 0)', filter.inlinks)
  within('d.visited_at', filter.visited)
  within('d.changed_at', filter.changed)
  if (target !== null) all.push(nearDuplicateCondition(target, sqlParams))
  return all
}

/** Hosts are indexed in reverse, so that subdomains share a prefix. */
function hostCondition(host: string, sqlParams: SqlParams): string {
  const reversed = (name: string) => `reverse(${sqlParams.add(name, 'text')}) collate "C"`
  if (!host.startsWith('.')) return `reverse(d.host) collate "C" = ${reversed(host)}`
  // Subdomains start with the reversed name and a dot; the slash is the next character after the dot.
  const subdomains = `reverse(d.host) collate "C" >= ${reversed(host)} and reverse(d.host) collate "C" < ${reversed(`/${host.slice(1)}`)}`
  return `(reverse(d.host) collate "C" = ${reversed(host.slice(1))} or (${subdomains}))`
}

function rangeConditions(column: string, range: Range | null, sqlParams: SqlParams): string[] {
  const { min, max } = range ?? { min: null, max: null }
  const lower = min === null ? [] : [`${column} >= ${sqlParams.add(min, 'double precision')}`]
  return max === null ? lower : [...lower, `${column} <= ${sqlParams.add(max, 'double precision')}`]
}

function nearDuplicateCondition({ pageId, fingerprint, quarters }: NearDuplicateTarget, sqlParams: SqlParams): string {
  if (fingerprint === null) return `d.page = ${sqlParams.add(pageId, 'bigint')}`
  const differing = `bit_count((d.fingerprint # ${sqlParams.add(fingerprint, 'bigint')})::bit(64))`
  return `d.quarters && ${sqlParams.add(quarters, 'int[]')} and ${differing} <= ${NEAR_BITS}`
}
