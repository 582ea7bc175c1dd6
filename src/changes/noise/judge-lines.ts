// Decides which lines of a difference are noise.

import type { DiffLine } from '../diff/diff-lines.ts'
import type { HostNoise } from './host-noise.ts'
import { lineShape, shapeKey } from './line-shape.ts'
import { differOnlyInTimes, type VisitTimes } from './times.ts'

/** A time, something that always changes, or a line that the user ignores. */
export type IgnoreReason = 'clock' | 'learned' | 'rule'

export interface JudgeContext {
  noise: HostNoise
  isIgnored: (line: string) => boolean
  /** Times of the visits of both versions. */
  visitedAt: VisitTimes
  /** The visit before found a change too. If it did not, nothing here changes always. Null: it was the first. */
  isRepeated: boolean | null
}

export interface JudgedDiff {
  /** Reasons by line; null if the line counts. */
  ignored: (IgnoreReason | null)[]
  /** Keys, for `HostNoise.observe`, of changes that no rule or clock explains. */
  keys: string[]
}

export function judgeLines(lines: readonly DiffLine[], context: JudgeContext): JudgedDiff {
  const ignored: (IgnoreReason | null)[] = new Array(lines.length).fill(null)
  const keys = new Set<string>()
  for (const hunk of changedRuns(lines)) judgeHunk(lines, hunk, context, { ignored, keys })
  return { ignored, keys: [...keys] }
}

interface Run {
  start: number
  end: number
}

/** Maximal runs of lines that are not the same. */
function* changedRuns(lines: readonly DiffLine[]): Generator<Run> {
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.kind === 'same') continue
    let end = start
    while (end < lines.length && lines[end]?.kind !== 'same') end += 1
    yield { start, end }
    start = end
  }
}

function judgeHunk(
  lines: readonly DiffLine[],
  { start, end }: Run,
  context: JudgeContext,
  { ignored, keys }: { ignored: JudgedDiff['ignored']; keys: Set<string> },
): void {
  const { noise, isIgnored, isRepeated } = context
  const place = placeKey(lines, { start, end })
  for (let i = start; i < end; i++) {
    const line = lines[i] as DiffLine
    if (line.isMoved) continue
    const other = line.pair === null ? null : (lines[line.pair]?.text ?? null)
    const shape = other === null ? null : commonShape(line.text, other)
    if (isIgnored(line.text)) ignored[i] = 'rule'
    else if (other !== null && isClock(line, other, context)) ignored[i] = 'clock'
    else if (isRepeated !== false && shape !== null && noise.isNoisyShape(shape)) ignored[i] = 'learned'
    else if (isRepeated === true && place !== null && noise.isNoisyPlace(place)) ignored[i] = 'learned'
    if (ignored[i] === 'rule' || ignored[i] === 'clock') continue
    if (shape !== null) keys.add(shape)
    if (place !== null) keys.add(place)
  }
}

function isClock({ kind, text }: DiffLine, other: string, { visitedAt }: JudgeContext): boolean {
  const [before, after] = kind === 'removed' ? [text, other] : [other, text]
  return differOnlyInTimes(before, after, visitedAt)
}

/** Null if more than numbers differ. */
function commonShape(text: string, other: string): string | null {
  const shape = lineShape(text)
  return shape === lineShape(other) ? shapeKey(shape) : null
}

/** The place of a hunk between its neighbours; null at the start or end of the text, where it would be any place. */
function placeKey(lines: readonly DiffLine[], { start, end }: Run): string | null {
  const [before, after] = [lines[start - 1], lines[end]]
  if (before === undefined || after === undefined) return null
  return shapeKey('between', lineShape(before.text), lineShape(after.text))
}
