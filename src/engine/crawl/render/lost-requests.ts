// Finds requests of a rendered page that failed in a way that may be temporary. The page then lacks what they would
// have added, and its DOM does not show it.

import type { RenderedPage, ResourceType, Subrequest } from '../../../ports/renderer.ts'
import { FETCH_PROBLEMS } from '../../fetch/fetch-result.ts'
import { isRetriedProblem } from '../visit/verdict.ts'
import { INTERRUPTED_REASON, ROBOTS_UNREACHABLE_REASON } from './page-subresources.ts'

/** Resource types that change the DOM. */
const CONTENT_TYPES = new Set<ResourceType>(['Script', 'XHR', 'Fetch'])
const TRANSIENT_PROBLEMS = new Set<string>(FETCH_PROBLEMS.filter(isRetriedProblem))
const TRANSIENT_REASONS = new Set([INTERRUPTED_REASON, ROBOTS_UNREACHABLE_REASON])

/** Failed requests that the page did not retry successfully. */
export function findLostRequests({ subrequests }: RenderedPage): Subrequest[] {
  return subrequests.filter(isLost).filter(({ url }, _, lost) => {
    const count = (requests: Subrequest[]) => requests.filter((request) => request.url === url).length
    return count(subrequests) === count(lost)
  })
}

function isLost({ method, type, status, blockedReason }: Subrequest): boolean {
  if (method !== 'GET' || !CONTENT_TYPES.has(type)) return false
  if (blockedReason !== null) return TRANSIENT_PROBLEMS.has(blockedReason) || TRANSIENT_REASONS.has(blockedReason)
  return status !== null && (status >= 500 || status === 429)
}
