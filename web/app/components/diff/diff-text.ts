// A difference between two texts as parts to show, and as plain text.

import type { DiffLine, TextDiff } from '../../text/changes.ts'

export interface LinePart {
  text: string
  isChanged: boolean
}

/** Splits a line at the ranges that differ. A line without ranges has changed as a whole, or not at all. */
export function splitLine({ text, changed }: Pick<DiffLine, 'text' | 'changed'>): LinePart[] {
  const parts: LinePart[] = []
  let at = 0
  for (const [start, end] of changed) {
    if (start > at) parts.push({ text: text.slice(at, start), isChanged: false })
    parts.push({ text: text.slice(start, end), isChanged: true })
    at = end
  }
  if (at < text.length) parts.push({ text: text.slice(at), isChanged: false })
  return parts
}

/** The number of unchanged lines before each hunk that are not part of the one before it. */
export function countFoldedLines({ hunks }: TextDiff): number[] {
  let end = 1
  return hunks.map(({ old_start, lines }) => {
    const folded = old_start - end
    end = old_start + lines.filter(({ kind }) => kind !== 'added').length
    return folded
  })
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const

/** The difference as in a unified diff. */
export function toPlainText(diff: TextDiff): string {
  return diff.hunks.map(({ lines }) => lines.map(({ kind, text }) => `${SIGNS[kind]} ${text}\n`).join('')).join('...\n')
}
