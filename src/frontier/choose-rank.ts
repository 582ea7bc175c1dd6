/** Chance to take the best rank present rather than look at the next one. */
const PREFER_BETTER = 0.8

/** Better ranks are preferred by chance, so that none starves. `ranks` are those present, the best first. */
export function chooseRank(ranks: readonly number[], random: () => number): number | undefined {
  return ranks.find(() => random() < PREFER_BETTER) ?? ranks[0]
}
