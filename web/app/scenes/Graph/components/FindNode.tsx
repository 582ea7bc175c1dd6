import { useRef, useState } from 'react'
import { StateBadge } from '../../../components/Badge.tsx'
import { Combobox } from '../../../components/Combobox.tsx'
import { plural } from '../../../format.ts'
import { findNodes } from '../../../graph/find.ts'
import type { GraphNode } from '../../../graph/model.ts'
import type { Reading } from '../../../graph/read.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'

export function FindNode({ reading, onFound }: { reading: Reading; onFound: (node: GraphNode) => void }) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: '/', label: 'Find a node', run: () => input.current?.focus() }])
  return (
    <Combobox
      inputRef={input}
      label="Find a node"
      placeholder="Find a node"
      className="w-full sm:w-64"
      value={text}
      items={findNodes(reading.model, text, 10)}
      keyOf={(node) => node.id}
      render={(node) => (
        <>
          <span className="min-w-0 flex-1 truncate" title={node.label}>
            {node.label}
          </span>
          {node.state === null ? (
            <span className="text-xs text-muted">{plural(node.urls, 'url')}</span>
          ) : (
            <StateBadge state={node.state} />
          )}
        </>
      )}
      onInput={setText}
      onChoose={(node) => {
        setText('')
        onFound(node)
      }}
    />
  )
}
