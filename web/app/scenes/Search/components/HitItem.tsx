import { Link } from 'wouter'
import { facetText } from '../../../../../src/api/contract/facet-text.ts'
import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { HighlightedText } from '../../../components/display/HighlightedText.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { UrlText } from '../../../components/display/UrlText.tsx'
import { formatDateTime, plural, shortUrl } from '../../../text/format.ts'
import { spellOut } from '../../../text/words.ts'

export type SearchHit = RouteResponse<'search'>['results'][number]

export function HitItem({ hit, href }: { hit: SearchHit; href: string }) {
  const titleRanges = hit.title === '' ? [] : hit.title_highlights
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <Link href={href} title={hit.url} className="block max-w-full">
        {hit.title === '' ? null : <UrlText text={shortUrl(hit.url)} className="text-xs text-muted" />}
        <span className="block text-sm font-semibold break-words text-accent hover:underline">
          <HighlightedText text={hit.title === '' ? shortUrl(hit.url) : hit.title} ranges={titleRanges} />
        </span>
      </Link>
      <p className="mt-0.5 break-words">
        <HighlightedText text={hit.snippet} ranges={hit.highlights} />
      </p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
        <span>
          Visited <RelativeTime at={hit.visited_at} />
        </span>
        {hit.version > 1 && hit.changed_at !== null ? (
          <LastChange visitedAt={hit.visited_at} changedAt={hit.changed_at} />
        ) : null}
        {hit.lang === null ? null : <span>{facetText('lang', hit.lang)}</span>}
        {hit.content_type === null ? null : <span>{facetText('type', hit.content_type)}</span>}
        {hit.similar === 0 ? null : <span>{plural(hit.similar, 'similar page')} collapsed</span>}
      </p>
      {hit.explanation === null ? null : <Score hit={hit} />}
    </li>
  )
}

/** `changedAt` is the first visit that found this content. */
function LastChange({ visitedAt, changedAt }: { visitedAt: string; changedAt: string }) {
  if (changedAt < visitedAt) return <span>Unchanged since {formatDateTime(new Date(changedAt))}</span>
  return (
    <span>
      Changed <RelativeTime at={changedAt} />
    </span>
  )
}

/** The parts of the ranking score. */
function Score({ hit }: { hit: SearchHit }) {
  if (hit.explanation === null) return null
  const { text, link_rank, language, freshness, fields } = hit.explanation
  const parts = Object.entries(fields).sort(([, a], [, b]) => b - a)
  return (
    <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 rounded border border-line bg-sunken px-2.5 py-1.5 text-xs">
      {[
        ['Score', hit.score] as const,
        ['Text', text] as const,
        ['Link rank', link_rank] as const,
        ['Language', language] as const,
        ['Freshness', freshness] as const,
      ].map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{name}</dt>
          <dd>{value.toFixed(3)}</dd>
        </div>
      ))}
      {parts.map(([field, value]) => (
        <div key={field} className="flex gap-1.5">
          <dt className="text-muted">{spellOut(field)}</dt>
          <dd>{value.toFixed(2)}</dd>
        </div>
      ))}
    </dl>
  )
}
