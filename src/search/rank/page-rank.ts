// PageRank: the probability that a random surfer, who sometimes jumps to a random page, is on a page.

export interface LinkGraph {
  nodes: number
  /** Links as pairs: from the node at i to the node at i + 1. */
  links: Int32Array
}

const DAMPING = 0.85
const MAX_ROUNDS = 30
const CONVERGENCE = 1e-4

/** The ranks sum to 1. `pause` is awaited between iterations over all links. */
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

/** Runs one iteration. Pages without links share their rank among all pages. */
function iterateRanks(ranks: Float64Array, outgoing: Int32Array, links: Int32Array): Float64Array<ArrayBuffer> {
  const nodes = ranks.length
  let dangling = 0
  for (let node = 0; node < nodes; node++) if (outgoing[node] === 0) dangling += ranks[node] ?? 0
  const next = new Float64Array(nodes).fill((1 - DAMPING + DAMPING * dangling) / nodes)
  for (let i = 0; i < links.length; i += 2) {
    const [from, to] = [links[i] ?? 0, links[i + 1] ?? 0]
    next[to] = (next[to] ?? 0) + (DAMPING * (ranks[from] ?? 0)) / (outgoing[from] ?? 1)
  }
  return next
}

/** A smaller difference changes no order, and an unchanged rank is not written again. */
const STEPS = 1024

/**
 * Scales ranks logarithmically from 0, for a page without incoming links, to 1 for the highest, because few pages have
 * most of the rank. The steps are exact in 32 bits, so that a stored rank compares equal to a recomputed one.
 */
export function scaleRanks(ranks: Float64Array): Float32Array {
  let [min, max] = [Number.POSITIVE_INFINITY, 0]
  for (const rank of ranks) {
    if (rank < min) min = rank
    if (rank > max) max = rank
  }
  const range = Math.log(max / min)
  return Float32Array.from(ranks, (rank) =>
    range > 0 ? Math.round((STEPS * Math.log(rank / min)) / range) / STEPS : 0,
  )
}
