import { ScrollArea } from './ScrollArea.tsx'

interface Part {
  kind: 'same' | 'added' | 'removed'
  text: string
}

const KIND_CLASSES = { same: 'text-muted', added: 'bg-good-soft text-good', removed: 'bg-bad-soft text-bad' } as const
const SIGNS = { same: ' ', added: '+', removed: '-' } as const

/** What is the same is folded when it is long: a few lines around each change are enough. */
export function TextDiff({ parts }: { parts: readonly Part[] }) {
  if (parts.every(({ kind }) => kind === 'same')) return <p className="text-muted">The text is the same as before.</p>
  return (
    <ScrollArea label="Changes of the text" className="max-h-96 rounded border border-line font-mono text-xs">
      {parts.map((part, at) => (
        <pre
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name and never move
          key={at}
          className={`px-2 break-words whitespace-pre-wrap ${KIND_CLASSES[part.kind]}`}
        >
          {linesOf(part)}
        </pre>
      ))}
    </ScrollArea>
  )
}

const AROUND = 3

function linesOf({ kind, text }: Part): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const shown =
    kind === 'same' && lines.length > AROUND * 2 + 1
      ? [...lines.slice(0, AROUND), `(${lines.length - AROUND * 2} lines that are the same)`, ...lines.slice(-AROUND)]
      : lines
  return shown.map((line) => `${SIGNS[kind]} ${line}`).join('\n')
}
