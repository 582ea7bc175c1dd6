// Versions of a graph: the highest id, the time of the latest visit, how many urls stand otherwise than their last visit
// left them, and how many visits there were. Visits are reported a moment after they happened, by the clocks of several
// workers, so that what is a little older than a version counts as new too: a node that comes twice does no harm. What
// ended without a visit or was queued again has no time: when there are more or fewer of those, they all come again.

import { AppError } from '../../lib/errors.ts'
import type { GraphRequest } from '../../ports/browse.ts'
import type { LookedAt } from './look.ts'

const REPORT_MS = 10_000

export interface Version {
  highestId: number
  visitedAt: number
  apart: number
  visits: number
}

export function versionOf(urls: LookedAt[]): Version {
  const version = { highestId: 0, visitedAt: 0, apart: 0, visits: 0 }
  for (const url of urls) {
    version.highestId = Math.max(version.highestId, url.id)
    version.visitedAt = Math.max(version.visitedAt, url.visitedAt ?? 0)
    version.visits += url.attempts
    if (isApart(url)) version.apart += 1
  }
  return version
}

export function writeVersion({ highestId, visitedAt, apart, visits }: Version): string {
  return [highestId, visitedAt, apart, visits].join('-')
}

/** Ended without a visit, or open after one. */
function isApart({ state, visitedAt }: LookedAt): boolean {
  return (visitedAt === null) !== (state === 'queued' || state === 'in_progress')
}

export function readVersion({ since, group, by }: GraphRequest): Version {
  const isOurs = /^\d{1,15}(-\d{1,15}){3}$/.test(since ?? '')
  if (!isOurs || group !== 'url' || by !== 'found') {
    throw new AppError('BAD_CURSOR', 'Changes are told since a version of the graph of urls in the order found.')
  }
  const [highestId = 0, visitedAt = 0, apart = 0, visits = 0] = (since ?? '').split('-').map(Number)
  return { highestId, visitedAt, apart, visits }
}

/** Tells which of these urls are new or may have changed. */
export function changedSince(since: Version, urls: LookedAt[]): (url: LookedAt) => boolean {
  const now = versionOf(urls)
  const hasVisits = now.visits !== since.visits
  const hasApart = now.apart !== since.apart
  return (url) =>
    url.id > since.highestId ||
    url.state === 'in_progress' ||
    (hasVisits && url.visitedAt !== null && url.visitedAt >= since.visitedAt - REPORT_MS) ||
    (hasApart && isApart(url))
}
