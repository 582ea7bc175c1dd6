// Measures of a ranking against judgments, defined as in trec_eval. A ranking lists the judged gain of each hit: 0 if the
// hit is not relevant or was not judged. `relevant` lists the gains of all relevant documents, found or not.

/** Linear gains with a log2 discount, over the gain of the best possible ranking (trec_eval's ndcg_cut). */
export function ndcgAt(depth: number, ranking: readonly number[], relevant: readonly number[]): number {
  const ideal = discountedGain(relevant.toSorted((a, b) => b - a).slice(0, depth))
  return ideal === 0 ? 0 : discountedGain(ranking.slice(0, depth)) / ideal
}

function discountedGain(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0)
}

/** The precision at each relevant hit, averaged over all relevant documents; a missing document counts as 0. */
export function averagePrecision(ranking: readonly number[], relevant: readonly number[]): number {
  let [found, precisions] = [0, 0]
  for (const [i, gain] of ranking.entries()) {
    if (gain <= 0) continue
    found += 1
    precisions += found / (i + 1)
  }
  return relevant.length === 0 ? 0 : precisions / relevant.length
}

/** The share of all relevant documents that are among the first hits. */
export function recallAt(depth: number, ranking: readonly number[], relevant: readonly number[]): number {
  const found = ranking.slice(0, depth).filter((gain) => gain > 0).length
  return relevant.length === 0 ? 0 : found / relevant.length
}

/** One over the rank of the first right answer; 0 if there is none among the first hits. */
export function reciprocalRankAt(depth: number, rank: number | null): number {
  return rank === null || rank > depth ? 0 : 1 / rank
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
