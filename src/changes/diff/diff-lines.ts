// The difference between two texts: lines that are the same, removed or added. In an edited line, the differing words
// are marked, and lines that only moved are recognised. Work is bounded, whatever the texts are.

import { matchSequences } from './match-sequences.ts'
import { pairLines } from './pair-lines.ts'
import { countWords, splitTokens, type Token } from './split-tokens.ts'

export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
  /** Ranges of the text that differ from the other version of the line. Empty: the whole line, or nothing if it is the same. */
  changed: [start: number, end: number][]
  /** Position in the list of the other version of an edited line; null if there is none. */
  pair: number | null
  /** The same line was removed here and added there. */
  isMoved: boolean
}

/** Longer lines are not compared by words. */
const MAX_TOKENS = 2000
/** Shorter lines are equal by chance. */
const MIN_MOVED_WORDS = 4

/** Removed lines come before the added ones that replace them. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const ids = new Map<string, number>()
  const numberOf = (line: string) => {
    const known = ids.get(line)
    if (known !== undefined) return known
    ids.set(line, ids.size)
    return ids.size - 1
  }
  const partners = matchSequences(before.map(numberOf), after.map(numberOf))
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const start = lines.length
    while (i < before.length && partners[i] === -1) lines.push(newLine('removed', before[i++]))
    const middle = lines.length
    const end = i < before.length ? (partners[i] as number) : after.length
    while (j < end) lines.push(newLine('added', after[j++]))
    if (middle > start && lines.length > middle) pairLines(lines, { start, middle, end: lines.length })
    while (i < before.length && partners[i] === j) {
      lines.push(newLine('same', before[i++]))
      j += 1
    }
  }
  markMoved(lines)
  for (const line of lines) markWords(lines, line)
  return lines
}

function newLine(kind: DiffLine['kind'], text = ''): DiffLine {
  return { kind, text, changed: [], pair: null, isMoved: false }
}

/** A line that was removed in one place and added in another, once for each time. */
function markMoved(lines: DiffLine[]): void {
  const removed = new Map<string, DiffLine[]>()
  for (const line of lines) {
    if (line.kind !== 'removed' || line.pair !== null || countWords(line.text) < MIN_MOVED_WORDS) continue
    const same = removed.get(line.text)
    if (same === undefined) removed.set(line.text, [line])
    else same.push(line)
  }
  for (const line of lines) {
    if (line.kind !== 'added' || line.pair !== null) continue
    const from = removed.get(line.text)?.shift()
    if (from === undefined) continue
    line.isMoved = true
    from.isMoved = true
  }
}

/** Marks both lines of a pair, from its removed line. */
function markWords(lines: DiffLine[], line: DiffLine): void {
  const other = line.pair === null ? undefined : lines[line.pair]
  if (line.kind !== 'removed' || other === undefined) return
  const [old, new_] = [splitTokens(line.text), splitTokens(other.text)]
  if (Math.max(old.length, new_.length) > MAX_TOKENS) return
  const ids = new Map<string, number>()
  const numberOf = ({ text }: Token) => {
    const known = ids.get(text) ?? ids.size
    ids.set(text, known)
    return known
  }
  const partners = matchSequences(old.map(numberOf), new_.map(numberOf))
  const kept = new Set(partners)
  line.changed = joinRanges(line.text, old, (i) => partners[i] === -1)
  other.changed = joinRanges(other.text, new_, (j) => !kept.has(j))
}

/** Ranges with only spaces between them are one. */
function joinRanges(line: string, tokens: Token[], isChanged: (i: number) => boolean): [number, number][] {
  const ranges: [number, number][] = []
  for (const [i, { start, end }] of tokens.entries()) {
    if (!isChanged(i)) continue
    const last = ranges.at(-1)
    if (last !== undefined && line.slice(last[1], start).trim() === '') last[1] = end
    else ranges.push([start, end])
  }
  return ranges
}

/** Words of a line that were removed or added. */
export function countChangedWords({ kind, text, changed, pair, isMoved }: DiffLine): number {
  if (kind === 'same' || isMoved) return 0
  if (pair === null || changed.length === 0) return pair === null ? countWords(text) : 0
  return changed.reduce((words, [start, end]) => words + countWords(text.slice(start, end)), 0)
}
