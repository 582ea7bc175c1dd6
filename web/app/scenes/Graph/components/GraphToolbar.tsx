import type { ReactNode } from 'react'
import { Select } from '../../../components/controls/Input.tsx'
import { COLOUR_CHOICES } from '../../../graph/colour-scale.ts'
import { EDGE_CHOICES } from '../../../graph/drawn-edges.ts'
import { formatNumber } from '../../../text/format.ts'
import { GROUPS, type GraphViewState, INTERVALS_S, LIMITS } from '../view-state.ts'

const GROUP_LABELS = { auto: 'as it fits', url: 'urls', path: 'paths', host: 'hosts' } as const
const EDGE_LABELS = { links: 'all links', lineage: 'lineage' } as const

export function GraphToolbar({
  place,
  isLive,
  onChange,
}: {
  place: GraphViewState
  isLive: boolean
  onChange: (change: Partial<GraphViewState>) => void
}) {
  return (
    <>
      <Choice label="Nodes" value={place.group} onChange={(group) => onChange({ group, node: null })}>
        {GROUPS.map((group) => (
          <option key={group} value={group}>
            {GROUP_LABELS[group]}
          </option>
        ))}
      </Choice>
      <Choice label="Colour" value={place.colour} onChange={(colour) => onChange({ colour })}>
        {COLOUR_CHOICES.map((colour) => (
          <option key={colour}>{colour}</option>
        ))}
      </Choice>
      <Choice label="Edges" value={place.edges} onChange={(edges) => onChange({ edges })}>
        {EDGE_CHOICES.map((edges) => (
          <option key={edges} value={edges}>
            {EDGE_LABELS[edges]}
          </option>
        ))}
      </Choice>
      <Choice label="At most" value={place.limit} onChange={(limit) => onChange({ limit })}>
        {LIMITS.map((limit) => (
          <option key={limit} value={limit}>
            {formatNumber(limit)}
          </option>
        ))}
      </Choice>
      {isLive ? (
        <Choice label="Every" value={place.everyS} onChange={(everyS) => onChange({ everyS })}>
          {INTERVALS_S.map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds} s
            </option>
          ))}
        </Choice>
      ) : null}
    </>
  )
}

function Choice<T extends string | number>({
  label,
  value,
  onChange,
  children,
}: {
  label: string
  value: T
  onChange: (value: T) => void
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the select is inside
    <label className="flex min-w-0 items-center gap-1.5 sm:shrink-0 text-xs whitespace-nowrap text-muted">
      {label}
      <Select
        value={value}
        onChange={(event) => {
          const text = event.target.value
          onChange((typeof value === 'number' ? Number(text) : text) as T)
        }}
      >
        {children}
      </Select>
    </label>
  )
}
