// Priors: what is known about a URL's change rate before it was seen twice, from the rates of other URLs of its host
// and URL pattern, and how much these differ.

import { type ChangeEvidence, posteriorOf } from './change-rate.ts'
import { digamma, inverseTrigamma, trigamma } from './gamma-functions.ts'

/** Mean and spread of the logarithm of the change rates (per day) in a group of URLs, as sums over observations. */
export interface RateGroup {
  observations: number
  /** Days. An observation counts by its interval, so that each URL counts the same, however often it is visited. */
  weight: number
  logRates: number
  squaredLogRates: number
}

export const EMPTY_GROUP: RateGroup = { observations: 0, weight: 0, logRates: 0, squaredLogRates: 0 }

const DAY_MS = 86_400_000
/** Each observation multiplies the sums of its groups by this: about 300 observations remain. */
export const GROUP_DECAY = 0.997
/** A wider group counts as much as this many observations of a narrower one. */
const OBSERVATIONS_OF_WIDER = 5
/** Bounds of the evidence that a prior is worth: few groups are as uniform as their estimates seem. */
const MIN_SHAPE = 0.3
const MAX_SHAPE = 1.5
const DEFAULT_SHAPE = 0.5
const DEFAULT_LOG_RATE = Math.log(1 / 7)

interface Moments {
  mean: number
  square: number
}

const DEFAULT_MOMENTS: Moments = { mean: DEFAULT_LOG_RATE, square: DEFAULT_LOG_RATE ** 2 + trigamma(DEFAULT_SHAPE) }

/** Prior for pages about which nothing is known: half of them change less than once in two weeks. */
export const DEFAULT_PRIOR: ChangeEvidence = priorOfMoments(DEFAULT_MOMENTS)

/** `groups` are ordered from the widest to the narrowest, such as host, then URL pattern. */
export function priorOfGroups(groups: readonly RateGroup[]): ChangeEvidence {
  let { mean, square } = DEFAULT_MOMENTS
  for (const group of groups) {
    if (!(group.weight > 0)) continue
    const share = group.observations / (group.observations + OBSERVATIONS_OF_WIDER)
    mean += share * (group.logRates / group.weight - mean)
    square += share * (group.squaredLogRates / group.weight - square)
  }
  return priorOfMoments({ mean, square })
}

/** What an observation adds to each group of its URL, after the sums of the group were multiplied by `GROUP_DECAY`. */
export function groupIncrement(elapsedMs: number, history: ChangeEvidence, prior: ChangeEvidence): RateGroup {
  const { changes, observedMs } = posteriorOf(history, prior)
  const weight = elapsedMs > 0 ? elapsedMs / DAY_MS : 0
  const mean = digamma(changes) - Math.log(observedMs / DAY_MS)
  return {
    observations: 1,
    weight,
    logRates: weight * mean,
    squaredLogRates: weight * (mean * mean + trigamma(changes)),
  }
}

export function addToGroup(group: RateGroup, gain: RateGroup): RateGroup {
  return {
    observations: group.observations * GROUP_DECAY + gain.observations,
    weight: group.weight * GROUP_DECAY + gain.weight,
    logRates: group.logRates * GROUP_DECAY + gain.logRates,
    squaredLogRates: group.squaredLogRates * GROUP_DECAY + gain.squaredLogRates,
  }
}

/** The logarithm of a gamma variable has the mean digamma(shape) - log(observed) and the variance trigamma(shape). */
function priorOfMoments({ mean, square }: Moments): ChangeEvidence {
  // Sums that are no numbers lead to the default.
  if (!Number.isFinite(mean) || !Number.isFinite(square)) return priorOfMoments(DEFAULT_MOMENTS)
  const shape = Math.min(MAX_SHAPE, Math.max(MIN_SHAPE, inverseTrigamma(Math.max(0.1, square - mean * mean))))
  return { changes: shape, observedMs: Math.exp(digamma(shape) - mean) * DAY_MS }
}
