// Formats the difference of two versions for the terminal.

import type { ClientResponse } from '../../api/client.ts'
import { countWords } from '../../changes/diff/split-tokens.ts'
import { displayWidth, pluralize, sanitizeText, truncate } from './units.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200
/** Shorter lines say little by themselves. */
const MIN_CLEAR_WORDS = 4
const MAX_LABEL_WIDTH = 60
/** Characters shown before and after differing words of a longer line. */
const AROUND = 60
const SIGNS = { same: ' ', removed: '-', added: '+' } as const
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

/** Added and removed lines that are `wanted`. A short line, such as a cell of a table, follows its label. */
export function changedLines(
  { hunks }: Pick<NonNullable<Compared['diff']>, 'hunks'>,
  wanted: (line: DiffLine) => boolean,
  hasColor: boolean,
): string[] {
  const isShown = (line: DiffLine) => line.kind !== 'same' && wanted(line)
  const changed = hunks.flatMap(({ lines }) =>
    lines.flatMap((line, i) => (isShown(line) ? [{ line, hunk: lines, i }] : [])),
  )
  const shown = changed.slice(0, MAX_SHOWN).flatMap(({ line, hunk, i }) => {
    const label = labelBefore(hunk, i)
    return [
      ...(label === null ? [] : [toLine(label, label.text, hasColor)]),
      toLine(line, excerpt(line, hunk), hasColor),
    ]
  })
  const hidden = changed.length - MAX_SHOWN
  if (hidden > 0) shown.push(`   and ${pluralize(hidden, 'more line')}; --json prints all of them`)
  return shown
}

/** An unchanged line, such as the first cell of a row, if the changed one after it says little by itself. */
function labelBefore(hunk: readonly DiffLine[], i: number): DiffLine | null {
  const [before, line] = [hunk[i - 1], hunk[i]]
  if (before?.kind !== 'same' || displayWidth(before.text) > MAX_LABEL_WIDTH) return null
  return countWords(line?.text ?? '') < MIN_CLEAR_WORDS ? before : null
}

function toLine({ kind, moved }: DiffLine, text: string, hasColor: boolean): string {
  const sign = SIGNS[kind]
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
