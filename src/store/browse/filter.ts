// The conditions of a list of urls.

import type { UrlFilter } from '../../ports/browse.ts'
import { stateCode } from '../rows/codes.ts'
import { IS_BAD, isBad } from './bad.ts'
import type { BrowseDb, Values } from './db.ts'
import { beginsWith, hasText } from './like.ts'

export interface Conditions {
  /** Those of urls alone, and those of the last visit. */
  all: string[]
  needsVisit: boolean
  /** The index of urls that ended badly has all there can be. */
  areBad: boolean
}

/** Null when nothing can pass. */
export async function conditionsOf(db: BrowseDb, filter: UrlFilter, values: Values): Promise<Conditions | null> {
  const { states, reason, depth } = filter
  const all: string[] = []
  const areBad = states?.every(isBad) ?? false
  if (states !== null) {
    if (states.length === 0) return null
    all.push(`u.state in (${states.map(stateCode).join(', ')})`)
    if (areBad) all.push(IS_BAD)
  }
  if (filter.host !== null) {
    const [host] = await db.rows('select id from hosts where name = $1', [filter.host])
    if (host === undefined) return null
    all.push(`u.host = ${values.add(host['id'])}`)
  }
  if (reason !== null) all.push(`u.reason = ${values.add(reason)}`)
  if (depth !== null) all.push(`u.depth = ${values.add(depth)}`)
  const ofVisit = visitConditions(db, filter, values)
  return { all: [...all, ...ofVisit], needsVisit: ofVisit.length > 0, areBad }
}

function visitConditions({ dialect }: BrowseDb, filter: UrlFilter, values: Values): string[] {
  const { httpStatus, contentType, text } = filter
  const all: string[] = []
  if (httpStatus !== null) {
    const [low, high] = httpStatus < 10 ? [httpStatus * 100, httpStatus * 100 + 99] : [httpStatus, httpStatus]
    all.push(`v.http_status between ${values.add(low)} and ${values.add(high)}`)
  }
  if (contentType !== null) all.push(beginsWith('v.content_type', contentType, dialect, values))
  if (text !== null) all.push(hasText(['u.url', 'v.title'], text, dialect, values))
  return all
}

/** Counters tell how many there are only when nothing but states is asked for. */
export function isByStateAlone({ reason, host, depth, httpStatus, contentType, text }: UrlFilter): boolean {
  return [reason, host, depth, httpStatus, contentType, text].every((part) => part === null)
}
