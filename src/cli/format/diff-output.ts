// Formats the difference of two versions for the terminal.

import type { ComparedLine } from '../../changes/compare-texts.ts'
import type { VersionComparison } from '../../changes/compare-versions.ts'
import type { TextProblem } from '../../changes/read-version.ts'
import { pluralize, sanitizeText, truncate } from './units.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200
const SGR = { removed: '31', added: '32' } as const

export const PROBLEM_TEXTS: Record<TextProblem | 'away', string> = {
  not_archived: 'a version is not archived',
  gone: 'a version was not archived or has expired',
  unreadable: 'the archived bytes of a version are damaged',
  no_text: 'it is not text',
  away: 'the worker that has the archived bytes is unreachable',
}

export function diffOutput(compared: VersionComparison, summary: string, hasColor: boolean): string[] {
  if (!('comparison' in compared)) {
    const problem = 'isAway' in compared ? 'away' : compared.problem
    return [`   ${sanitizeText(summary)}`, `   No text to compare: ${PROBLEM_TEXTS[problem]}.`].filter((line) =>
      line.trim(),
    )
  }
  return changedLines(compared.comparison.lines, hasColor)
}

/** Without lines that are the same, and without noise. */
function changedLines(lines: readonly ComparedLine[], hasColor: boolean): string[] {
  const changed = lines.filter(({ kind, ignored }) => kind !== 'same' && ignored === null)
  const shown = changed.slice(0, MAX_SHOWN).map((line) => toLine(line, hasColor))
  const hidden = changed.length - shown.length
  if (hidden > 0) shown.push(`   and ${pluralize(hidden, 'more line')}; --json prints all of them`)
  return shown
}

function toLine({ kind, text, isMoved }: ComparedLine, hasColor: boolean): string {
  const sign = kind === 'added' ? '+' : '-'
  const plain = truncate(sanitizeText(`${sign} ${isMoved ? '(moved) ' : ''}${text}`), MAX_WIDTH)
  return hasColor && kind !== 'same' ? `   \u001b[${SGR[kind]}m${plain}\u001b[0m` : `   ${plain}`
}
