import type { ReactNode } from 'react'
import { Select } from '../../../components/controls/Input.tsx'
import { COLOUR_CHOICES } from '../../../graph/colour-scale.ts'
import { EDGE_CHOICES } from '../../../graph/drawn-edges.ts'
import { formatNumber } from '../../../text/format.ts'
import { GROUPS, type GraphViewState, INTERVALS_S, LIMITS } from '../view-state.ts'

const GROUP_LABELS = { auto: 'Auto', url: 'URLs', path: 'Paths', host: 'Hosts' } as const
const COLOUR_LABELS = { state: 'State', host: 'Host', depth: 'Depth' } as const
const EDGE_LABELS = { links: 'All links', lineage: 'Discovery' } as const

export function GraphToolbar({
  viewState,
  isLive,
  onChange,
}: {
  viewState: GraphViewState
  isLive: boolean
  onChange: (change: Partial<GraphViewState>) => void
}) {
  return (
    <>
      <Choice label="Nodes" value={viewState.group} onChange={(group) => onChange({ group, node: null })}>
        {GROUPS.map((group) => (
          <option key={group} value={group}>
            {GROUP_LABELS[group]}
          </option>
        ))}
      </Choice>
      <Choice label="Colour" value={viewState.colour} onChange={(colour) => onChange({ colour })}>
        {COLOUR_CHOICES.map((colour) => (
          <option key={colour} value={colour}>
            {COLOUR_LABELS[colour]}
          </option>
        ))}
      </Choice>
      <Choice label="Edges" value={viewState.edges} onChange={(edges) => onChange({ edges })}>
        {EDGE_CHOICES.map((edges) => (
          <option key={edges} value={edges}>
            {EDGE_LABELS[edges]}
          </option>
        ))}
      </Choice>
      <Choice label="Max nodes" value={viewState.limit} onChange={(limit) => onChange({ limit })}>
        {LIMITS.map((limit) => (
          <option key={limit} value={limit}>
            {formatNumber(limit)}
          </option>
        ))}
      </Choice>
      {isLive ? (
        <Choice label="Refresh" value={viewState.everyS} onChange={(everyS) => onChange({ everyS })}>
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
