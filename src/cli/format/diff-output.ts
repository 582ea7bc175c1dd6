// Formats the difference of two versions for the terminal.

import type { ClientResponse } from '../../api/client.ts'
import { displayWidth, pluralize, sanitizeText, truncate } from './units.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200
/** Characters shown before and after differing words of a longer line. */
const AROUND = 60
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
  if (diff !== null) return changedLines(diff, ({ ignored }) => ignored === null, hasColor)
  const reason = problem === null ? [] : [`   No text to compare: ${PROBLEM_TEXTS[problem]}.`]
  return [`   ${sanitizeText(summary)}`, ...reason].filter((line) => line.trim())
}

/** Added and removed lines that are `wanted`. */
export function changedLines(
  { hunks }: Pick<NonNullable<Compared['diff']>, 'hunks'>,
  wanted: (line: DiffLine) => boolean,
  hasColor: boolean,
): string[] {
  const changed = hunks.flatMap(({ lines }) =>
    lines.filter((line) => line.kind !== 'same' && wanted(line)).map((line) => ({ line, hunk: lines })),
  )
  const shown = changed.slice(0, MAX_SHOWN).map(({ line, hunk }) => toLine(line, excerpt(line, hunk), hasColor))
  const hidden = changed.length - shown.length
  if (hidden > 0) shown.push(`   and ${pluralize(hidden, 'more line')}; --json prints all of them`)
  return shown
}

function toLine({ kind, moved }: DiffLine, text: string, hasColor: boolean): string {
  const sign = kind === 'added' ? '+' : '-'
  const plain = truncate(sanitizeText(`${sign} ${moved ? '(moved) ' : ''}${text}`), MAX_WIDTH)
  return hasColor && kind !== 'same' ? `   \u001b[${SGR[kind]}m${plain}\u001b[0m` : `   ${plain}`
}

/** A line that is too long, reduced to the words that differ and those around them. */
function excerpt(line: DiffLine, hunk: readonly DiffLine[]): string {
  const { text } = line
  if (displayWidth(text) <= MAX_WIDTH) return text
  let [result, end] = ['', 0]
  for (const [from, to] of differingRanges(line, hunk)) {
    const start = Math.max(end, from - AROUND)
    const stop = Math.max(end, to + AROUND)
    result += `${start > end ? '…' : ''}${text.slice(start, stop)}`
    end = stop
  }
  return end === 0 || end >= text.length ? result || text : `${result}…`
}

/** If words were only removed or only added, the other version of the line says where. */
function differingRanges({ kind, text, changed }: DiffLine, hunk: readonly DiffLine[]): [number, number][] {
  if (changed.length > 0) return changed
  const rest = text.replace(/\s/g, '')
  const other = hunk.find((line) => line.kind !== kind && line.changed.length > 0 && unchangedPart(line) === rest)
  const at = other?.changed[0]?.[0]
  return at === undefined ? [] : [[at, at]]
}

function unchangedPart({ text, changed }: DiffLine): string {
  const parts = changed.map(([from], i) => text.slice(changed[i - 1]?.[1] ?? 0, from))
  return [...parts, text.slice(changed.at(-1)?.[1])].join('').replace(/\s/g, '')
}
