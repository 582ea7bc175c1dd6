// The number of concurrent requests that a host accepts, learned from its refusals (additive increase, multiplicative
// decrease): halved when it refuses one of several requests, raised by one after a number of good responses. 0 means
// that no limit is known.

/** A power of two, so that the fractions add up exactly. */
const RESPONSES_PER_STEP = 16

/**
 * Whether the host is known to refuse concurrent requests. The limit is dropped only when it has grown to twice what
 * the crawl asks for, so that one good stretch does not end it.
 */
export function isLimited(limit: number, perHost: number): boolean {
  return limit > 0 && limit < 2 * perHost
}

/** `concurrentRequests`: requests in flight when one of them was refused. */
export function lowerLimit(limit: number, concurrentRequests: number): number {
  return Math.max(1, Math.floor((limit === 0 ? concurrentRequests : Math.min(limit, concurrentRequests)) / 2))
}

/** Called after a good response. */
export function raiseLimit(limit: number, perHost: number): number {
  const raised = limit + 1 / RESPONSES_PER_STEP
  return isLimited(limit, perHost) && isLimited(raised, perHost) ? raised : 0
}
