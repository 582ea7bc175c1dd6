// Selects the best of many items.

/** The positions of the highest numbers, in their order. Of equal numbers the first are taken. */
export function bestPositions(worths: Uint32Array, limit: number): number[] {
  if (worths.length <= limit) return [...worths.keys()]
  const sorted = worths.toSorted()
  const least = sorted[sorted.length - limit] ?? Number.POSITIVE_INFINITY
  let room = limit - (sorted.length - (sorted.lastIndexOf(least) + 1))
  const best: number[] = []
  worths.forEach((worth, i) => {
    if (worth < least || (worth === least && room <= 0)) return
    if (worth === least) room -= 1
    best.push(i)
  })
  return best
}
