// A difference between two texts as plain text, and what it leaves out.

import type { TextDiff } from '../../text/changes.ts'

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
