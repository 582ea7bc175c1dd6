// Formats the difference of two versions for the terminal.

import type { ClientResponse } from '../../api/client.ts'
import { pluralize, sanitizeText, truncate } from './units.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200
const SGR = { removed: '31', added: '32' } as const

type Compared = Pick<ClientResponse<'getChange'>, 'diff' | 'problem'>
type DiffLine = NonNullable<Compared['diff']>['hunks'][number]['lines'][number]

export const PROBLEM_TEXTS: Record<NonNullable<Compared['problem']>, string> = {
  not_archived: 'a version is not archived',
  gone: 'a version was not archived or has expired',
  unreadable: 'the archived bytes of a version are damaged',
  no_text: 'it is not text',
  away: 'the worker that has the archived bytes is unreachable',
}

export function diffOutput({ diff, problem }: Compared, summary: string, hasColor: boolean): string[] {
  if (diff !== null) {
    const lines = diff.hunks.flatMap((hunk) => hunk.lines)
    return changedLines(lines, hasColor)
  }
  const reason = problem === null ? [] : [`   No text to compare: ${PROBLEM_TEXTS[problem]}.`]
  return [`   ${sanitizeText(summary)}`, ...reason].filter((line) => line.trim())
}

/** Changed lines without noise. */
function changedLines(lines: readonly DiffLine[], hasColor: boolean): string[] {
  const changed = lines.filter(({ kind, ignored }) => kind !== 'same' && ignored === null)
  const shown = changed.slice(0, MAX_SHOWN).map((line) => toLine(line, hasColor))
  const hidden = changed.length - shown.length
  if (hidden > 0) shown.push(`   and ${pluralize(hidden, 'more line')}; --json prints all of them`)
  return shown
}

function toLine({ kind, text, moved }: DiffLine, hasColor: boolean): string {
  const sign = kind === 'added' ? '+' : '-'
  const plain = truncate(sanitizeText(`${sign} ${moved ? '(moved) ' : ''}${text}`), MAX_WIDTH)
  return hasColor && kind !== 'same' ? `   \u001b[${SGR[kind]}m${plain}\u001b[0m` : `   ${plain}`
}
