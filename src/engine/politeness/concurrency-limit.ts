// How many requests at a time a host takes, learnt from its refusals: halved when it refuses one of several, raised by one
// after a number of good answers (additive increase, multiplicative decrease). 0 means that no limit is known.

/** A power of two, so that the fractions add up exactly. */
const ANSWERS_PER_STEP = 16

/** Whether a host takes fewer requests at a time than the crawl would make. */
export function isLimited(limit: number, perHost: number): boolean {
  return limit > 0 && limit < perHost
}

/** `atOnce`: requests that were under way when one of them was refused. */
export function lowerLimit(limit: number, atOnce: number): number {
  return Math.max(1, Math.floor((limit === 0 ? atOnce : Math.min(limit, atOnce)) / 2))
}

/** After a good answer. A limit that no longer limits is forgotten. */
export function raiseLimit(limit: number, perHost: number): number {
  const raised = limit + 1 / ANSWERS_PER_STEP
  return isLimited(limit, perHost) && raised < perHost ? raised : 0
}
