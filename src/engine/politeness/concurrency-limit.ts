// How many requests at a time a host takes, learnt from its refusals: halved when it refuses one of several, raised by one
// after a number of good answers (additive increase, multiplicative decrease). 0 means that no limit is known.

/** A power of two, so that the fractions add up exactly. */
const ANSWERS_PER_STEP = 16

/**
 * Whether the host is known to refuse when it is asked for too many at a time. It is so until it has taken all that a
 * crawl asks for so often that it would have taken twice as many by now.
 */
export function isLimited(limit: number, perHost: number): boolean {
  return limit > 0 && limit < 2 * perHost
}

/** `concurrentRequests`: requests that were under way when one of them was refused. */
export function lowerLimit(limit: number, concurrentRequests: number): number {
  return Math.max(1, Math.floor((limit === 0 ? concurrentRequests : Math.min(limit, concurrentRequests)) / 2))
}

/** After a good answer. */
export function raiseLimit(limit: number, perHost: number): number {
  const raised = limit + 1 / ANSWERS_PER_STEP
  return isLimited(limit, perHost) && isLimited(raised, perHost) ? raised : 0
}
