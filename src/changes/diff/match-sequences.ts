// Finds the common parts of two sequences in their order: the longest common subsequence where it can be found with
// bounded work (Myers 1986, O((n + m) d)), and common elements that are unique in both (patience diff) where the
// sequences differ too much. So two hostile texts cost no more than two long ones.

/** Edits that Myers' algorithm looks for. */
const MAX_EDITS = 256
/** How often a part that differs too much is split at unique elements. */
const MAX_DEPTH = 8

/** For each element of `a`, the position of its partner in `b`, or -1. Partners are equal, and in order. */
export function matchSequences(a: readonly number[], b: readonly number[]): Int32Array {
  const partners = new Int32Array(a.length).fill(-1)
  matchRange({ a, b, partners }, { aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }, 0)
  return partners
}

interface Sequences {
  a: readonly number[]
  b: readonly number[]
  partners: Int32Array
}

interface Range {
  aStart: number
  aEnd: number
  bStart: number
  bEnd: number
}

function matchRange(sequences: Sequences, range: Range, depth: number): void {
  const rest = matchEnds(sequences, range)
  if (rest.aStart === rest.aEnd || rest.bStart === rest.bEnd) return
  if (matchFewEdits(sequences, rest) || depth === MAX_DEPTH) return
  let { aStart, bStart } = rest
  const anchors = uniquePairs(sequences, rest)
  if (anchors.length === 0) return
  for (const [aAt, bAt] of [...anchors, [rest.aEnd, rest.bEnd] as const]) {
    matchRange(sequences, { aStart, aEnd: aAt, bStart, bEnd: bAt }, depth + 1)
    if (aAt < rest.aEnd) sequences.partners[aAt] = bAt
    aStart = aAt + 1
    bStart = bAt + 1
  }
}

/** Matches the common start and end, and returns the range between them. */
function matchEnds({ a, b, partners }: Sequences, range: Range): Range {
  let { aStart, aEnd, bStart, bEnd } = range
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) partners[aStart++] = bStart++
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) partners[--aEnd] = --bEnd
  return { aStart, aEnd, bStart, bEnd }
}

/** False if the parts differ by too many edits; then nothing is matched. */
function matchFewEdits({ a, b, partners }: Sequences, { aStart, aEnd, bStart, bEnd }: Range): boolean {
  const [n, m] = [aEnd - aStart, bEnd - bStart]
  const maxEdits = Math.min(MAX_EDITS, n + m)
  if (Math.abs(n - m) > maxEdits) return false
  // The furthest position in `a` on each diagonal, by number of edits.
  const reached: Int32Array[] = []
  let last = new Int32Array([0])
  for (let edits = 0; edits <= maxEdits; edits++) {
    const next = new Int32Array(2 * edits + 1)
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : startOfDiagonal(last, k, edits)
      let y = x - k
      while (x < n && y < m && a[aStart + x] === b[bStart + y]) {
        x += 1
        y += 1
      }
      next[k + edits] = x
      if (x < n || y < m) continue
      reached.push(next)
      tracePath(reached, { n, m }, (i, j) => {
        partners[aStart + i] = bStart + j
      })
      return true
    }
    reached.push(next)
    last = next
  }
  return false
}

/**
 * The position at which the path with one edit less reaches diagonal `k`: down (an element of `b`), or right (an
 * element of `a`).
 */
function startOfDiagonal(last: Int32Array, k: number, edits: number): number {
  const at = k + edits - 1
  const left = last[at - 1] ?? -1
  const right = last[at + 1] ?? -1
  return isDown(left, right, k, edits) ? right : left + 1
}

function isDown(left: number, right: number, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && left < right)
}

function tracePath(
  reached: Int32Array[],
  { n, m }: { n: number; m: number },
  match: (i: number, j: number) => void,
): void {
  let [x, y] = [n, m]
  for (let edits = reached.length - 1; edits >= 0; edits--) {
    const k = x - y
    const last = reached[edits - 1]
    let [startX, startY] = [0, 0]
    if (last !== undefined) {
      const at = k + edits - 1
      const isVertical = isDown(last[at - 1] ?? -1, last[at + 1] ?? -1, k, edits)
      startX = startOfDiagonal(last, k, edits)
      startY = startX - k
      while (x > startX) match(--x, --y)
      x = isVertical ? startX : startX - 1
      y = isVertical ? startY - 1 : startY
    } else {
      while (x > 0) match(--x, --y)
    }
  }
}

/** The longest list of elements that occur once in both parts, in the same order. */
function uniquePairs({ a, b }: Sequences, { aStart, aEnd, bStart, bEnd }: Range): (readonly [number, number])[] {
  const inA = positionsOfUnique(a, aStart, aEnd)
  const inB = positionsOfUnique(b, bStart, bEnd)
  const pairs: [number, number][] = []
  for (const [value, at] of inA) {
    const other = inB.get(value) ?? -1
    if (at !== -1 && other !== -1) pairs.push([at, other])
  }
  pairs.sort(([x], [y]) => x - y)
  return longestRising(pairs)
}

/** -1 for elements that occur more than once. */
function positionsOfUnique(sequence: readonly number[], start: number, end: number): Map<number, number> {
  const positions = new Map<number, number>()
  for (let i = start; i < end; i++) {
    const value = sequence[i] as number
    positions.set(value, positions.has(value) ? -1 : i)
  }
  return positions
}

/** The longest subsequence whose second numbers rise, by patience sorting. */
function longestRising(pairs: [number, number][]): (readonly [number, number])[] {
  const ends: number[] = []
  const previous = new Int32Array(pairs.length).fill(-1)
  for (const [i, pair] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] as number]?.[1] ?? 0) < pair[1]) low = middle + 1
      else high = middle
    }
    previous[i] = low === 0 ? -1 : (ends[low - 1] as number)
    ends[low] = i
  }
  const rising: (readonly [number, number])[] = []
  for (let i = ends.at(-1) ?? -1; i !== -1; i = previous[i] ?? -1) rising.push(pairs[i] as [number, number])
  return rising.reverse()
}
