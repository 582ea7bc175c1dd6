// A difference between two texts as plain text, and what it leaves out.

import type { TextDiff } from '../../text/changes.ts'

/** For each hunk, the number of unchanged lines between it and the previous one. */
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
