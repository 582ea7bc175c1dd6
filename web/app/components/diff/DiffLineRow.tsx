import { type DiffLine, IGNORED_TEXTS } from '../../text/changes.ts'
import { IconButton } from '../controls/Button.tsx'
import { Badge } from '../display/Badge.tsx'
import { HighlightedText } from '../display/HighlightedText.tsx'

const KINDS = {
  same: { sign: '', label: '', line: 'text-muted', word: '' },
  removed: { sign: '−', label: 'Removed: ', line: 'bg-bad-soft', word: 'bg-removed-word' },
  added: { sign: '+', label: 'Added: ', line: 'bg-good-soft', word: 'bg-added-word' },
} as const

const IGNORED_LINE = 'bg-sunken text-muted'
const MOVED_LINE = 'bg-accent-soft'

/** One line of a difference. Signs and notes are not part of a copied selection. */
export function DiffLineRow({ line, onIgnore }: { line: DiffLine; onIgnore: ((text: string) => void) | null }) {
  const { kind, text, moved, ignored } = line
  const { sign, label, line: lineClass, word } = KINDS[kind]
  const canIgnore = onIgnore !== null && kind !== 'same' && ignored === null && !moved
  return (
    <div
      className={`group/line grid min-h-6 grid-cols-[1.5rem_1fr_1.75rem] py-0.5 ${ignored !== null ? IGNORED_LINE : moved ? MOVED_LINE : lineClass}`}
    >
      <span aria-hidden="true" className="text-center font-mono select-none">
        {sign}
      </span>
      <span className="min-w-0 break-words whitespace-pre-wrap">
        {label === '' ? null : <span className="sr-only select-none">{label}</span>}
        <HighlightedText
          text={text}
          ranges={ignored === null ? line.changed : []}
          markClass={`rounded-xs underline decoration-1 underline-offset-3 ${word}`}
        />
        {moved ? <Note text={kind === 'removed' ? 'Moved from here' : 'Moved here'} /> : null}
        {ignored === null ? null : <Note text={IGNORED_TEXTS[ignored]} />}
      </span>
      {canIgnore ? (
        <IconButton
          label="Ignore this line"
          icon="hide"
          tip="left"
          className="h-5! w-6! opacity-0 group-hover/line:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
          onClick={() => onIgnore(text)}
        />
      ) : null}
    </div>
  )
}

function Note({ text }: { text: string }) {
  return (
    <span className="ml-2 inline-block select-none">
      <Badge>{text}</Badge>
    </span>
  )
}
