// Which requests of a rendered page failed in a way that may pass. The page then lacks what they would have added, and
// nothing in its DOM says so.

import type { RenderedPage, ResourceType, Subrequest } from '../../../ports/renderer.ts'
import type { FetchProblem } from '../../fetch/fetch-result.ts'
import { INTERRUPTED_REASON, ROBOTS_UNREACHABLE_REASON } from './page-subresources.ts'

/** They change the DOM. */
const CONTENT_TYPES = new Set<ResourceType>(['Script', 'XHR', 'Fetch'])
const PASSING_PROBLEMS = new Set<string>([
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connection_lost',
  'headers_timeout',
  'body_timeout',
  'timeout',
  'too_slow',
  'http_invalid',
  'encoding_invalid',
  'unknown_error',
] satisfies FetchProblem[])
const PASSING_REASONS = new Set([INTERRUPTED_REASON, ROBOTS_UNREACHABLE_REASON])

/** Without those that the page repeated with success. */
export function findLostRequests({ subrequests }: RenderedPage): Subrequest[] {
  return subrequests.filter(isLost).filter(({ url }, _, lost) => {
    const count = (requests: Subrequest[]) => requests.filter((request) => request.url === url).length
    return count(subrequests) === count(lost)
  })
}

function isLost({ method, type, status, blockedReason }: Subrequest): boolean {
  if (method !== 'GET' || !CONTENT_TYPES.has(type)) return false
  if (blockedReason !== null) return PASSING_PROBLEMS.has(blockedReason) || PASSING_REASONS.has(blockedReason)
  return status !== null && (status >= 500 || status === 429)
}
