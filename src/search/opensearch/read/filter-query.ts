// Translates a filter to conditions of the engine.

import type { IndexQuery, Range, SearchFilter } from '../../../ports/search.ts'
import { entityTerm } from '../../entity-terms.ts'
import { routingOfFilter } from '../place.ts'
import type { EngineQuery } from './text-query.ts'

/** The page whose near-duplicates are requested. `fingerprint` is null if the page has none. */
export interface NearDuplicateTarget {
  pageId: number
  fingerprint: string | null
  quarters: number[]
}

export function toFilterQueries(
  { filter, now }: Pick<IndexQuery, 'filter' | 'now'>,
  target: NearDuplicateTarget | null,
): EngineQuery[] {
  const { crawlIds, hosts, notHosts, path, lang, type, httpStatus } = filter
  const all: EngineQuery[] = [{ bool: { must_not: [{ range: { expires_at: { lte: now } } }] } }]
  if (crawlIds !== null) all.push({ terms: { crawl: crawlIds } })
  if (hosts.length > 0) all.push({ bool: { should: hosts.map(matchHost), minimum_should_match: 1 } })
  if (notHosts.length > 0) all.push({ bool: { must_not: notHosts.map(matchHost) } })
  for (const name of filter.names) {
    const term = entityTerm(name)
    if (term !== null) all.push({ term: { names: term } })
  }
  if (path !== null) all.push({ prefix: { path: { value: path } } })
  if (lang !== null) all.push({ term: { lang } })
  if (type !== null) all.push({ prefix: { content_type: { value: type } } })
  if (httpStatus !== null) all.push({ term: { http_status: httpStatus } })
  const within = (field: string, range: Range | null) => {
    if (range === null) return
    const { min, max } = range
    all.push({ range: { [field]: { ...(min === null ? {} : { gte: min }), ...(max === null ? {} : { lte: max }) } } })
  }
  within('depth', filter.depth)
  within('content_length', filter.size)
  within('inlinks', filter.inlinks)
  within('visited_at', filter.visited)
  within('changed_at', filter.changed)
  if (target !== null) all.push(matchTarget(target))
  return all
}

function matchHost(host: string): EngineQuery {
  return host.startsWith('.') ? { term: { domains: host.slice(1) } } : { term: { host } }
}

/** Near-duplicates have a quarter in common; the other bits are compared later. */
function matchTarget({ pageId, fingerprint, quarters }: NearDuplicateTarget): EngineQuery {
  return fingerprint === null ? { term: { page: pageId } } : { terms: { quarters } }
}

/** The shards to ask, as a parameter; all of them if a host filter does not say which. */
export function routingParameter({ hosts }: SearchFilter): string {
  const routings = hosts.map(routingOfFilter)
  if (hosts.length === 0 || routings.includes(null)) return ''
  return `&routing=${encodeURIComponent([...new Set(routings)].join(','))}`
}
