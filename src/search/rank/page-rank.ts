// PageRank: the chance to be on a page for somebody who follows links at random, and now and then starts anew anywhere.

export interface LinkGraph {
  nodes: number
  /** Links as pairs: from the node at i to that at i + 1. */
  links: Int32Array
}

const DAMPING = 0.85
const MAX_ROUNDS = 30
const CONVERGENCE = 1e-4

/** The ranks add up to 1. `pause` is awaited between rounds, each of which goes over all links. */
export async function computePageRank({ nodes, links }: LinkGraph, pause: () => Promise<void>): Promise<Float64Array> {
  let ranks = new Float64Array(nodes).fill(1 / Math.max(1, nodes))
  const outgoing = new Int32Array(nodes)
  for (let i = 0; i < links.length; i += 2) outgoing[links[i] ?? 0] = (outgoing[links[i] ?? 0] ?? 0) + 1
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = iterateRanks(ranks, outgoing, links)
    const change = next.reduce((sum, rank, i) => sum + Math.abs(rank - (ranks[i] ?? 0)), 0)
    ranks = next
    if (change < CONVERGENCE) break
    await pause()
  }
  return ranks
}

/** One round; what pages without links have goes to all alike. */
function iterateRanks(ranks: Float64Array, outgoing: Int32Array, links: Int32Array): Float64Array<ArrayBuffer> {
  const nodes = ranks.length
  let stranded = 0
  for (let node = 0; node < nodes; node++) if (outgoing[node] === 0) stranded += ranks[node] ?? 0
  const next = new Float64Array(nodes).fill((1 - DAMPING + DAMPING * stranded) / nodes)
  for (let i = 0; i < links.length; i += 2) {
    const [from, to] = [links[i] ?? 0, links[i + 1] ?? 0]
    next[to] = (next[to] ?? 0) + (DAMPING * (ranks[from] ?? 0)) / (outgoing[from] ?? 1)
  }
  return next
}

/** A difference of less than a step moves no hit, and a rank that stays the same is not written again. */
const STEPS = 1024

/**
 * From 0, for a page that nothing leads to, to 1 for the highest, by the logarithm: few pages have most of the rank. In
 * steps that are exact in 32 bits: an index has the rank that was saved last, whichever ones were there before.
 */
export function scaleRanks(ranks: Float64Array): Float32Array {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const rank of ranks) {
    if (rank < least) least = rank
    if (rank > most) most = rank
  }
  const range = Math.log(most / least)
  return Float32Array.from(ranks, (rank) =>
    range > 0 ? Math.round((STEPS * Math.log(rank / least)) / range) / STEPS : 0,
  )
}
