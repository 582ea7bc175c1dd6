import { useRef, useState } from 'react'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import type { TextDiff } from '../../text/changes.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { Button, IconButton } from '../controls/Button.tsx'
import { CopyButton } from '../controls/CopyButton.tsx'
import { DiffLineRow } from './DiffLineRow.tsx'
import { countFoldedLines, toPlainText } from './diff-text.ts'
import { WordCounts } from './WordCounts.tsx'

/** Further lines are shown on request, so that a page that was replaced completely does not freeze the browser. */
const FIRST_LINES = 1000

/** The differences between two texts. For use in a dialog: n and p move between them. */
export function DiffView({ diff, onIgnore }: { diff: TextDiff; onIgnore: ((text: string) => void) | null }) {
  const box = useRef<HTMLDivElement>(null)
  const [isComplete, setIsComplete] = useState(false)
  const current = useRef(-1)
  const move = (by: number): void => {
    current.current = Math.max(0, Math.min(diff.hunks.length - 1, current.current + by))
    const hunk = box.current?.querySelector<HTMLElement>(`[data-hunk="${current.current}"]`)
    hunk?.scrollIntoView({ block: 'center' })
    hunk?.focus({ preventScroll: true })
  }
  useShortcuts([
    { keys: 'n', label: 'Next difference', isInDialog: true, run: () => move(1) },
    { keys: 'p', label: 'Previous difference', isInDialog: true, run: () => move(-1) },
  ])
  if (diff.hunks.length === 0) return <p className="text-muted">The text has not changed.</p>

  const folded = countFoldedLines(diff)
  const words = diff.words_added + diff.words_removed
  const lineCount = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  let shown = 0
  return (
    <section aria-label="Text changes" className="rounded-lg border border-line">
      <header className="sticky -top-4 z-10 flex min-h-9 items-center gap-2 rounded-t-lg border-b border-line bg-surface py-1 pr-1.5 pl-3">
        <span className="mr-auto">
          {words === 0 ? (
            <span className="text-muted">No words added or removed</span>
          ) : (
            <>
              <WordCounts added={diff.words_added} removed={diff.words_removed} />{' '}
              <span className="text-muted">{words === 1 ? 'word' : 'words'}</span>
            </>
          )}
        </span>
        {diff.hunks.length > 1 ? (
          <>
            <IconButton
              label="Previous difference (p)"
              icon="up"
              tip="left"
              className="h-6! w-6!"
              onClick={() => move(-1)}
            />
            <IconButton
              label="Next difference (n)"
              icon="down"
              tip="left"
              className="h-6! w-6!"
              onClick={() => move(1)}
            />
          </>
        ) : null}
        <CopyButton text={toPlainText(diff)} label="Copy differences" tip="left" />
      </header>
      <div ref={box} className="overflow-hidden text-body">
        {diff.hunks.map((hunk, at) => {
          const room = isComplete ? hunk.lines.length : Math.max(0, FIRST_LINES - shown)
          shown += hunk.lines.length
          if (room === 0) return null
          return (
            <div key={hunk.new_start} data-hunk={at} tabIndex={-1} className="focus-visible:-outline-offset-2">
              {(folded[at] ?? 0) > 0 ? <FoldedLines count={folded[at] ?? 0} /> : null}
              {hunk.lines.slice(0, room).map((line, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and never move
                <DiffLineRow key={i} line={line} onIgnore={onIgnore} />
              ))}
            </div>
          )
        })}
      </div>
      {!isComplete && lineCount > FIRST_LINES ? (
        <div className="border-t border-line p-2 text-center">
          <Button onClick={() => setIsComplete(true)}>Show {formatNumber(lineCount - FIRST_LINES)} more lines</Button>
        </div>
      ) : null}
      {diff.is_cut ? (
        <p className="border-t border-line px-3 py-2 text-muted">
          The texts are very long. Only their beginnings were compared.
        </p>
      ) : null}
    </section>
  )
}

function FoldedLines({ count }: { count: number }) {
  return (
    <p className="border-y border-line bg-sunken px-6 text-2xs leading-5 text-muted select-none first:border-t-0">
      {plural(count, 'unchanged line')}
    </p>
  )
}
