// The conditions of a URL list.

import type { UrlFilter } from '../../ports/browse.ts'
import { stateCode } from '../encoding/state-codes.ts'
import type { BrowseDb, SqlParameters } from './browse-db.ts'
import { beginsWith, hasText } from './like.ts'
import { IS_PROBLEM, isProblem } from './problem-states.ts'

export interface UrlConditions {
  /** Conditions on the URL alone, and on its last visit. */
  all: string[]
  needsVisit: boolean
  /** The index of problem URLs contains all matches. */
  areProblems: boolean
}

/** Null if no URL can match. */
export async function buildConditions(
  db: BrowseDb,
  filter: UrlFilter,
  sqlParameters: SqlParameters,
): Promise<UrlConditions | null> {
  const { states, reason, depth } = filter
  const all: string[] = []
  const areBad = states?.every(isProblem) ?? false
  if (states !== null) {
    if (states.length === 0) return null
    all.push(`u.state in (${states.map(stateCode).join(', ')})`)
    if (areBad) all.push(IS_PROBLEM)
  }
  if (filter.host !== null) {
    const [host] = await db.rows('select id from hosts where name = $1', [filter.host])
    if (host === undefined) return null
    all.push(`u.host = ${sqlParameters.add(host['id'])}`)
  }
  if (reason !== null) all.push(`u.reason = ${sqlParameters.add(reason)}`)
  if (depth !== null) all.push(`u.depth = ${sqlParameters.add(depth)}`)
  const ofVisit = visitConditions(db, filter, sqlParameters)
  return { all: [...all, ...ofVisit], needsVisit: ofVisit.length > 0, areProblems: areBad }
}

function visitConditions({ dialect }: BrowseDb, filter: UrlFilter, sqlParameters: SqlParameters): string[] {
  const { httpStatus, contentType, text } = filter
  const all: string[] = []
  if (httpStatus !== null) {
    const [low, high] = httpStatus < 10 ? [httpStatus * 100, httpStatus * 100 + 99] : [httpStatus, httpStatus]
    all.push(`v.http_status between ${sqlParameters.add(low)} and ${sqlParameters.add(high)}`)
  }
  if (contentType !== null) all.push(beginsWith('v.content_type', contentType, dialect, sqlParameters))
  if (text !== null) all.push(hasText(['u.url', 'v.title'], text, dialect, sqlParameters))
  return all
}

/** The counters have a total only for filters on states alone. */
export function filtersByStateOnly({ reason, host, depth, httpStatus, contentType, text }: UrlFilter): boolean {
  return [reason, host, depth, httpStatus, contentType, text].every((part) => part === null)
}
