// The number of concurrent requests that a host accepts, learned from its refusals (additive increase, multiplicative
// decrease): halved when it refuses one of several requests, raised by one after a number of good responses. 0 means
// that no limit is known.

import { hasConcurrencyLimit } from '../../ports/frontier.ts'

/** A power of two, so that the fractions add up exactly. */
const RESPONSES_PER_STEP = 16

/** `concurrentRequests`: requests in flight when one of them was refused. */
export function lowerLimit(limit: number, concurrentRequests: number): number {
  return Math.max(1, Math.floor((limit === 0 ? concurrentRequests : Math.min(limit, concurrentRequests)) / 2))
}

/** Called after a good response. */
export function raiseLimit(limit: number, perHost: number): number {
  const raised = limit + 1 / RESPONSES_PER_STEP
  return hasConcurrencyLimit(limit, perHost) && hasConcurrencyLimit(raised, perHost) ? raised : 0
}
