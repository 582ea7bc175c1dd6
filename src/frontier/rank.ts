// Ranks: the priority of a URL as SQL sorts it, 1 being the best.

export const LAST_RANK = 10

/** Probability of taking a rank rather than trying the next one. */
const TAKE_RANK = 0.8

/** URLs closer to the seeds are visited first. */
export function rankAtDepth(depth: number): number {
  return Math.min(LAST_RANK, depth + 1)
}

/** Prefers better ranks at random, so that no rank starves. `ranks` holds the ranks that are present, best first. */
export function chooseRank(ranks: readonly number[], random: () => number): number | undefined {
  return ranks.find(() => random() < TAKE_RANK) ?? ranks[0]
}
