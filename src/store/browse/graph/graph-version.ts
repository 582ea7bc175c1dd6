// Versions of a graph. A version contains the highest id, the time of the latest visit, the number of visits, and the
// number of URLs whose state differs from their last visit. Versions overlap, because visits are reported a moment after
// they happened, by the clocks of several workers; a node that is returned twice does no harm. URLs that ended without a
// visit or were requeued have no time. If their number changes, all of them are returned again.

import { AppError } from '../../../lib/errors.ts'
import type { GraphRequest } from '../../../ports/browse.ts'
import type { GraphUrl } from './graph-urls.ts'

const REPORT_DELAY_MS = 10_000

export interface GraphVersion {
  highestId: number
  visitedAt: number
  differing: number
  visits: number
}

export function toGraphVersion(urls: GraphUrl[]): GraphVersion {
  const version = { highestId: 0, visitedAt: 0, differing: 0, visits: 0 }
  for (const url of urls) {
    version.highestId = Math.max(version.highestId, url.id)
    version.visitedAt = Math.max(version.visitedAt, url.visitedAt ?? 0)
    version.visits += url.attempts
    if (differsFromVisit(url)) version.differing += 1
  }
  return version
}

export function formatGraphVersion({ highestId, visitedAt, differing, visits }: GraphVersion): string {
  return [highestId, visitedAt, differing, visits].join('-')
}

/** Ended without a visit, or open after one. */
function differsFromVisit({ state, visitedAt }: GraphUrl): boolean {
  return (visitedAt === null) !== (state === 'queued' || state === 'in_progress')
}

export function parseGraphVersion({ since, group, by }: GraphRequest): GraphVersion {
  const isOurs = /^\d{1,15}(-\d{1,15}){3}$/.test(since ?? '')
  if (!isOurs || group !== 'url' || by !== 'found') {
    throw new AppError(
      'BAD_CURSOR',
      'The version does not belong to a graph of single URLs in the order found. Request the graph again without it.',
    )
  }
  const [highestId = 0, visitedAt = 0, differing = 0, visits = 0] = (since ?? '').split('-').map(Number)
  return { highestId, visitedAt, differing, visits }
}

/** Returns which of these URLs are new or may have changed. */
export function changedSince(since: GraphVersion, urls: GraphUrl[]): (url: GraphUrl) => boolean {
  const now = toGraphVersion(urls)
  const hasVisits = now.visits !== since.visits
  const hasApart = now.differing !== since.differing
  return (url) =>
    url.id > since.highestId ||
    url.state === 'in_progress' ||
    (hasVisits && url.visitedAt !== null && url.visitedAt >= since.visitedAt - REPORT_DELAY_MS) ||
    (hasApart && differsFromVisit(url))
}
