import { DotBadge } from '../../../components/display/Badge.tsx'
import { makeColourScale } from '../../../graph/colour-scale.ts'
import { formatNumber } from '../../../text/format.ts'
import type { Folders } from '../../../treemap/cells.ts'

/** The states of a level with their numbers of URLs. */
export function StateLegend({ level }: { level: Folders }) {
  const { legend } = makeColourScale(
    [
      ...level.folders.map(({ label, ...folder }) => ({ ...folder, id: label, label, state: null })),
      ...level.own_urls.map((url) => ({ ...url, id: String(url.url_id), label: url.url, states: null, urls: 1 })),
    ].map((node) => ({ ...node, url_id: null, host: '', depth: 0, inlinks: 0, rank: 0, parent: null })),
    'state',
  )
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4">
      {legend.map(({ label, colour, count }) => (
        <li key={colour} className="flex items-center gap-1.5">
          <DotBadge label={label} colour={`var(--${colour})`} />
          <span className="text-muted">{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
}
