import { ScrollArea } from './ScrollArea.tsx'

interface Part {
  kind: 'same' | 'added' | 'removed'
  text: string
}

const KIND_CLASSES = { same: 'text-muted', added: 'bg-good-soft text-good', removed: 'bg-bad-soft text-bad' } as const
const SIGNS = { same: ' ', added: '+', removed: '-' } as const

/** Long unchanged parts are collapsed to a few lines around each change. */
export function TextDiff({ parts }: { parts: readonly Part[] }) {
  if (parts.every(({ kind }) => kind === 'same')) return <p className="text-muted">The text has not changed.</p>
  return (
    <ScrollArea label="Text changes" className="max-h-96 rounded border border-line font-mono text-xs">
      {parts.map((part, at) => (
        <pre
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never move
          key={at}
          className={`px-2 break-words whitespace-pre-wrap ${KIND_CLASSES[part.kind]}`}
        >
          {diffLines(part)}
        </pre>
      ))}
    </ScrollArea>
  )
}

const CONTEXT_LINES = 3

function diffLines({ kind, text }: Part): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown =
    kind === 'same' && lines.length > CONTEXT_LINES * 2 + 1
      ? [
          ...lines.slice(0, CONTEXT_LINES),
          `(${lines.length - CONTEXT_LINES * 2} unchanged lines)`,
          ...lines.slice(-CONTEXT_LINES),
        ]
      : lines
  return shown.map((line) => `${SIGNS[kind]} ${line}`).join('\n')
}
