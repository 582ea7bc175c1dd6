// The place of a document: the index of the month of its visit, and the shard of its domain.

import { getDomain } from 'tldts'

export interface Place {
  index: string
  routing: string
}

const DOMAIN_OPTIONS = { allowPrivateDomains: false }

/** Documents of a domain are on one shard, so that a search of one site asks that shard only. */
export function routingOf(host: string): string {
  return getDomain(host, DOMAIN_OPTIONS) ?? host
}

/** The routing of all hosts that match a host filter; null if they have several. */
export function routingOfFilter(host: string): string | null {
  if (!host.startsWith('.')) return routingOf(host)
  return getDomain(host.slice(1), DOMAIN_OPTIONS)
}

/** Generation 1 has plain names; rebuilt indices have their generation in the name. */
export function indexName(prefix: string, generation: number, visitedAt: number): string {
  const month = new Date(visitedAt).toISOString().slice(0, 7)
  return `${prefix}-${month}${generation === 1 ? '' : `-r${generation}`}`
}

/** The generation of an index; null if it is none of ours. */
export function generationOf(prefix: string, index: string): number | null {
  if (!index.startsWith(`${prefix}-`)) return null
  const match = /^\d{4}-\d\d(?:-r(\d+))?$/.exec(index.slice(prefix.length + 1))
  return match === null ? null : Number(match[1] ?? 1)
}

export function writePlace({ index, routing }: Place): string {
  return `${index}/${routing}`
}

/** No index name contains a slash. */
export function readPlace(place: string): Place {
  const at = place.indexOf('/')
  return { index: place.slice(0, at), routing: place.slice(at + 1) }
}
