// The area of a graph, without a few nodes far away from all others: they would make everything else tiny.

/** Share of the nodes that is ignored on each side. */
const OUTLIERS = 0.02
/** Nodes this far outside still count, as a share of the range of the others. */
const MARGIN = 0.6

export interface Bounds {
  x: [number, number]
  y: [number, number]
}

/** Positions are x and y of every node. */
export function boundsWithoutOutliers(positions: Float32Array): Bounds {
  const axis = (offset: 0 | 1): [number, number] => {
    const values = positions.filter((_, i) => i % 2 === offset).sort()
    const at = (share: number) => values[Math.round(share * (values.length - 1))] ?? 0
    const [low, high] = [at(OUTLIERS), at(1 - OUTLIERS)]
    const margin = Math.max((high - low) * MARGIN, 1)
    return [Math.max(at(0), low - margin), Math.min(at(1), high + margin)]
  }
  return { x: axis(0), y: axis(1) }
}
