// The gap between two requests to a host: set by the user, or a multiple of the host's response time, so that a slow
// host gets fewer requests.

const GAP_PER_RESPONSE = 5
export const AUTO_FLOOR_MS = 200
const AUTO_CEILING_MS = 10_000
/** Weight of the newest response in the running mean. */
const NEWEST_WEIGHT = 0.25

export function computeGapMs(delayMs: number | 'auto', responseMs: number): number {
  if (delayMs !== 'auto') return delayMs
  return Math.min(AUTO_CEILING_MS, Math.max(AUTO_FLOOR_MS, responseMs * GAP_PER_RESPONSE))
}

export function updateMeanMs(meanMs: number, newestMs: number): number {
  return meanMs === 0 ? newestMs : meanMs + (newestMs - meanMs) * NEWEST_WEIGHT
}
