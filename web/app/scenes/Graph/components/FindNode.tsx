import { useRef, useState } from 'react'
import { Combobox } from '../../../components/controls/Combobox.tsx'
import { StateBadge } from '../../../components/display/Badge.tsx'
import { findNodes } from '../../../graph/find-nodes.ts'
import type { GraphNode } from '../../../graph/graph-model.ts'
import type { GraphSnapshot } from '../../../graph/read-graph.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { plural } from '../../../text/format.ts'

export function FindNode({ snapshot, onFound }: { snapshot: GraphSnapshot; onFound: (node: GraphNode) => void }) {
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
      items={findNodes(snapshot.model, text, 10)}
      keyOf={(node) => node.id}
      render={(node) => (
        <>
          <span className="min-w-0 flex-1 truncate" title={node.label}>
            {node.label}
          </span>
          {node.state === null ? (
            <span className="text-xs text-muted">{plural(node.urls, 'URL')}</span>
          ) : (
            <StateBadge state={node.state} />
          )}
        </>
      )}
      onInput={setText}
      onSelect={(node) => {
        setText('')
        onFound(node)
      }}
    />
  )
}
