// Groups the lines of a difference into hunks: runs of changed lines with the lines around them.

import type { DiffLine } from './diff-lines.ts'

export interface Hunk<L extends DiffLine> {
  /** Numbers of the first line in the old and the new text, from 1. */
  oldStart: number
  newStart: number
  lines: L[]
}

/** Lines before and after a change. */
const CONTEXT = 2

export function toHunks<L extends DiffLine>(lines: readonly L[]): Hunk<L>[] {
  const hunks: Hunk<L>[] = []
  let [oldAt, newAt, lastChange] = [1, 1, Number.NEGATIVE_INFINITY]
  const positions = lines.map(({ kind }) => {
    const position = { oldAt, newAt }
    if (kind !== 'added') oldAt += 1
    if (kind !== 'removed') newAt += 1
    return position
  })
  let end = 0
  for (const [i, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    const hunk = hunks.at(-1)
    if (hunk === undefined || i - lastChange > 2 * CONTEXT + 1) {
      hunk?.lines.push(...lines.slice(end, Math.min(end + CONTEXT, i)))
      const start = Math.max(0, i - CONTEXT)
      const { oldAt: oldStart = 1, newAt: newStart = 1 } = positions[start] ?? {}
      hunks.push({ oldStart, newStart, lines: lines.slice(start, i + 1) })
    } else hunk.lines.push(...lines.slice(end, i + 1))
    lastChange = i
    end = i + 1
  }
  hunks.at(-1)?.lines.push(...lines.slice(end, end + CONTEXT))
  return hunks
}
