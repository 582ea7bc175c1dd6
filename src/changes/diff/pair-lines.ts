// Finds the removed and added lines of a hunk that are versions of the same line.

import type { DiffLine } from './diff-lines.ts'
import { splitTokens } from './split-tokens.ts'

/** The share of words that two versions of a line have in common at least. */
const MIN_COMMON = 0.4
/** Pairs that are compared in a hunk. In a larger one only lines at the same place are. */
const MAX_PAIRS = 2500

/** Removed lines are from `start` to `middle`, added ones up to `end`. Pairs are in order, with as much in common as possible. */
export function pairLines(
  lines: DiffLine[],
  { start, middle, end }: { start: number; middle: number; end: number },
): void {
  const old = lines.slice(start, middle).map(({ text }) => countTokens(text))
  const new_ = lines.slice(middle, end).map(({ text }) => countTokens(text))
  const pairs = old.length * new_.length <= MAX_PAIRS ? bestPairs(old, new_) : pairsInPlace(old, new_)
  for (const [i, j] of pairs) {
    const [removed, added] = [lines[start + i], lines[middle + j]]
    if (removed === undefined || added === undefined) continue
    removed.pair = middle + j
    added.pair = start + i
  }
}

type Counts = Map<string, number>

/** Counts each word. Lines without words are compared by their characters. */
function countTokens(line: string): Counts {
  const tokens = splitTokens(line)
  const words = tokens.filter(({ isWord }) => isWord)
  const counts: Counts = new Map()
  for (const { text } of words.length > 0 ? words : tokens) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** 0 to 1. */
function commonShare(a: Counts, b: Counts): number {
  let [common, total] = [0, 0]
  for (const [text, count] of a) {
    common += Math.min(count, b.get(text) ?? 0)
    total += count
  }
  for (const count of b.values()) total += count
  // A number alone has nothing in common with another one, and is still a version of it.
  return total === 2 ? Math.max(common, 0.5) : (2 * common) / Math.max(1, total)
}

/** The pairs with the largest sum, found like an alignment of two sequences, in quadratic time. */
function bestPairs(old: Counts[], new_: Counts[]): [number, number][] {
  const width = new_.length + 1
  const best = new Float64Array((old.length + 1) * width)
  const scores = new Float64Array(old.length * new_.length)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = new_.length - 1; j >= 0; j--) {
      const score = commonShare(old[i] as Counts, new_[j] as Counts)
      scores[i * new_.length + j] = score
      const paired = score < MIN_COMMON ? -1 : score + (best[(i + 1) * width + j + 1] ?? 0)
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0)
    }
  }
  const pairs: [number, number][] = []
  for (let [i, j] = [0, 0]; i < old.length && j < new_.length; ) {
    const here = best[i * width + j] ?? 0
    const score = scores[i * new_.length + j] ?? 0
    if (score >= MIN_COMMON && here === score + (best[(i + 1) * width + j + 1] ?? 0)) pairs.push([i++, j++])
    else if (here === best[(i + 1) * width + j]) i += 1
    else j += 1
  }
  return pairs
}

function pairsInPlace(old: Counts[], new_: Counts[]): [number, number][] {
  const pairs: [number, number][] = []
  for (let i = 0; i < Math.min(old.length, new_.length); i++) {
    if (commonShare(old[i] as Counts, new_[i] as Counts) >= MIN_COMMON) pairs.push([i, i])
  }
  return pairs
}
