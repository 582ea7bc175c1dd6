// Of too many edges, those whose two ends are the best linked.

/** Positions in the lists of ends, in their order. Of equally good edges the first are taken. */
export function bestEdges(
  from: readonly number[],
  to: readonly number[],
  inlinks: Uint32Array,
  limit: number,
): number[] {
  const worths = Uint32Array.from(from, (start, i) => Math.min(inlinks[start] ?? 0, inlinks[to[i] ?? 0] ?? 0))
  if (worths.length <= limit) return [...worths.keys()]
  const sorted = worths.toSorted()
  const least = sorted[sorted.length - limit] ?? Number.POSITIVE_INFINITY
  const isBetter = (worth: number) => worth > least
  let room = limit - worths.reduce((count, worth) => count + (isBetter(worth) ? 1 : 0), 0)
  const best: number[] = []
  worths.forEach((worth, i) => {
    if (isBetter(worth)) best.push(i)
    else if (worth === least && room > 0) {
      room -= 1
      best.push(i)
    }
  })
  return best
}
