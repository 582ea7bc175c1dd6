// What is known of a URL's change rate before it was seen twice: the rates of other URLs of its host and URL pattern.

import { beliefOf, type ChangeEvidence, changeRate } from './change-rate.ts'

/** The rates of a group of URLs. Additive, so that a commit can add the differences of its visits. */
export interface RateGroup {
  urls: number
  /** Sum of log(changes per day) over the URLs. */
  logRates: number
}

export const EMPTY_GROUP: RateGroup = { urls: 0, logRates: 0 }

const DAY_MS = 86_400_000
/** Rates within a group spread over orders of magnitude: a gamma distribution of this shape. */
const SHAPE = 0.5
/** exp(digamma(SHAPE)): the geometric mean of a gamma distribution is this over its observedMs. */
const GEOMETRIC = 0.1404
/** A wider group counts as this many URLs of a narrower one. */
const WEIGHT_OF_WIDER = 5
const DEFAULT_LOG_RATE = Math.log(1 / 7)

/** For pages of which nothing is known. */
export const DEFAULT_PRIOR: ChangeEvidence = priorOfLogRate(DEFAULT_LOG_RATE)

/** From the widest group to the narrowest, such as host, then URL pattern. */
export function priorOfGroups(groups: readonly RateGroup[]): ChangeEvidence {
  let logRate = DEFAULT_LOG_RATE
  for (const { urls, logRates } of groups) {
    logRate =
      (Math.max(0, urls) > 0 ? logRates + WEIGHT_OF_WIDER * logRate : WEIGHT_OF_WIDER * logRate) /
      (Math.max(0, urls) + WEIGHT_OF_WIDER)
  }
  return priorOfLogRate(logRate)
}

/**
 * What a look adds to the groups of its URL. `before` is null at the first look that compares. Takes the stored histories,
 * with the default prior and not that of the group, so that the sums stay exact while the prior of the group moves.
 */
export function groupChange(before: ChangeEvidence | null, after: ChangeEvidence): RateGroup {
  if (before === null) return { urls: 1, logRates: logRatePerDay(after) }
  return { urls: 0, logRates: logRatePerDay(after) - logRatePerDay(before) }
}

function logRatePerDay(history: ChangeEvidence): number {
  return Math.log(changeRate(beliefOf(history, DEFAULT_PRIOR)) * DAY_MS)
}

function priorOfLogRate(logRatePerDayMean: number): ChangeEvidence {
  return { changes: SHAPE, observedMs: (GEOMETRIC / Math.exp(logRatePerDayMean)) * DAY_MS }
}
