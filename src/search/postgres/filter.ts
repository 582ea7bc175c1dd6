// A filter as conditions on `d`, a row of documents, and `r`, the rank of its url.

import type { Range, SearchFilter } from '../../ports/search.ts'
import type { Params } from './params.ts'

/** What the fingerprint of the page is whose near duplicates are wanted; null when it has none. */
export interface Likeness {
  pageId: number
  fingerprint: string | null
  quarters: number[]
}

const NEAR_BITS = 3

export function filterRows(filter: SearchFilter, likeness: Likeness | null, params: Params): string[] {
  const { crawlId, hosts, notHosts, path, lang, type, httpStatus } = filter
  const all: string[] = []
  if (crawlId !== null) all.push(`d.crawl = ${params.add(crawlId, 'text')}`)
  if (hosts.length > 0) all.push(`(${hosts.map((host) => ofHost(host, params)).join(' or ')})`)
  if (notHosts.length > 0) all.push(`not (${notHosts.map((host) => ofHost(host, params)).join(' or ')})`)
  if (path !== null) all.push(`starts_with(substr(d.url, d.path_at), ${params.add(path, 'text')})`)
  if (lang !== null) all.push(`d.lang = ${params.add(lang, 'text')}`)
  if (type !== null) all.push(`starts_with(d.content_type, ${params.add(type, 'text')})`)
  if (httpStatus !== null) all.push(`d.http_status = ${params.add(httpStatus, 'int')}`)
  const within = (column: string, range: Range | null) => all.push(...inRange(column, range, params))
  within('d.depth', filter.depth)
  within('d.content_length', filter.size)
  within('coalesce(r.inlinks, 0)', filter.inlinks)
  within('d.visited_at', filter.visited)
  within('d.changed_at', filter.changed)
  if (likeness !== null) all.push(isLike(likeness, params))
  return all
}

/** Hosts are turned round in the index: what ends alike begins alike. */
function ofHost(host: string, params: Params): string {
  const turned = (name: string) => `reverse(${params.add(name, 'text')}) collate "C"`
  if (!host.startsWith('.')) return `reverse(d.host) collate "C" = ${turned(host)}`
  // Everything below begins with the name and a dot; a slash comes after a dot.
  const below = `reverse(d.host) collate "C" >= ${turned(host)} and reverse(d.host) collate "C" < ${turned(`/${host.slice(1)}`)}`
  return `(reverse(d.host) collate "C" = ${turned(host.slice(1))} or (${below}))`
}

function inRange(column: string, range: Range | null, params: Params): string[] {
  const { min, max } = range ?? { min: null, max: null }
  const lower = min === null ? [] : [`${column} >= ${params.add(min, 'double precision')}`]
  return max === null ? lower : [...lower, `${column} <= ${params.add(max, 'double precision')}`]
}

function isLike({ pageId, fingerprint, quarters }: Likeness, params: Params): string {
  if (fingerprint === null) return `d.page = ${params.add(pageId, 'bigint')}`
  const differing = `bit_count((d.fingerprint # ${params.add(fingerprint, 'bigint')})::bit(64))`
  return `d.quarters && ${params.add(quarters, 'int[]')} and ${differing} <= ${NEAR_BITS}`
}
