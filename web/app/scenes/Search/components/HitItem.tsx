import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { plural, shortUrl } from '../../../text/format.ts'
import { HighlightedText } from './HighlightedText.tsx'

export type SearchHit = RouteResponse<'search'>['results'][number]

export function HitItem({ hit, onOpen }: { hit: SearchHit; onOpen: () => void }) {
  const places = hit.title === '' ? [] : hit.title_highlights
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <button type="button" onClick={onOpen} className="block max-w-full text-left">
        <span className="block truncate text-xs text-muted">{shortUrl(hit.url)}</span>
        <span className="block text-sm font-semibold break-words text-accent hover:underline">
          <HighlightedText text={hit.title === '' ? shortUrl(hit.url) : hit.title} places={places} />
        </span>
      </button>
      <p className="mt-0.5 break-words">
        <HighlightedText text={hit.snippet} places={hit.highlights} />
      </p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
        <span>
          seen <RelativeTime at={hit.visited_at} />
        </span>
        {hit.changed_at === null || hit.version <= 1 ? null : (
          <span>
            version {hit.version}, changed <RelativeTime at={hit.changed_at} />
          </span>
        )}
        {hit.lang === null ? null : <span>{hit.lang}</span>}
        {hit.content_type === null ? null : <span>{hit.content_type.split(';', 1)}</span>}
        {hit.similar === 0 ? null : <span>{plural(hit.similar, 'similar page')} folded</span>}
      </p>
      {hit.explanation === null ? null : <Score hit={hit} />}
    </li>
  )
}

/** Why it stands where it stands. */
function Score({ hit }: { hit: SearchHit }) {
  if (hit.explanation === null) return null
  const { text, link_rank, freshness, fields } = hit.explanation
  const parts = Object.entries(fields).sort(([, a], [, b]) => b - a)
  return (
    <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 rounded border border-line bg-sunken px-2.5 py-1.5 text-xs">
      {[
        ['score', hit.score] as const,
        ['text', text] as const,
        ['link rank', link_rank] as const,
        ['freshness', freshness] as const,
      ].map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{name}</dt>
          <dd>{value.toFixed(3)}</dd>
        </div>
      ))}
      {parts.map(([field, value]) => (
        <div key={field} className="flex gap-1.5">
          <dt className="text-muted">in {field}</dt>
          <dd>{value.toFixed(2)}</dd>
        </div>
      ))}
    </dl>
  )
}
