import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { Button } from '../../../components/controls/Button.tsx'
import { EmptyState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { formatDuration, formatNumber } from '../../../text/format.ts'
import { Facets } from './Facets.tsx'
import { HitItem } from './HitItem.tsx'

type SearchPage = RouteResponse<'search'>

export function ResultList({
  pages,
  query,
  isStale,
  hasMore,
  isFetchingMore,
  onMore,
  onQuery,
  hrefOf,
}: {
  /** Null while loading. */
  pages: SearchPage[] | null
  query: string
  /** Whether the results belong to the previous query. */
  isStale: boolean
  hasMore: boolean
  isFetchingMore: boolean
  onMore: () => void
  onQuery: (query: string) => void
  /** The address that shows a page. */
  hrefOf: (pageId: number) => string
}) {
  const first = pages?.[0]
  if (pages === null || first === undefined) return <SkeletonRows />
  const hits = pages.flatMap((page) => page.results)
  return (
    <div className={`flex flex-col gap-6 lg:flex-row ${isStale ? 'opacity-60' : ''}`} aria-busy={isStale}>
      <div className="min-w-0 flex-1">
        <p className="text-xs text-muted" role="status">
          {first.total_is_exact ? '' : 'About '}
          {formatNumber(first.total)} {first.total === 1 ? 'page' : 'pages'} in {formatDuration(first.took_ms)}
        </p>
        {first.note === null ? null : <p className="mt-1 text-warn">{first.note}</p>}
        {first.did_you_mean === null ? null : (
          <QuerySuggestions label="Did you mean" queries={[first.did_you_mean]} onQuery={onQuery} />
        )}
        {hits.length === 0 ? (
          <EmptyState icon="search" title="No results">
            Try fewer or different words. Pages that are not archived or are marked noindex cannot be found.
          </EmptyState>
        ) : (
          <ol aria-label="Results">
            {hits.map((hit) => (
              <HitItem key={hit.page_id} hit={hit} href={hrefOf(hit.page_id)} />
            ))}
          </ol>
        )}
        {hasMore ? (
          <div className="py-3">
            <Button disabled={isFetchingMore} onClick={onMore}>
              Show more
            </Button>
          </div>
        ) : null}
        {first.related.length === 0 ? null : (
          <QuerySuggestions label="Related" queries={first.related} onQuery={onQuery} />
        )}
      </div>
      {first.facets === null ? null : (
        <aside aria-label="Filters" className="order-first shrink-0 lg:order-none lg:w-52">
          <Facets facets={first.facets} query={query} onQuery={onQuery} />
        </aside>
      )}
    </div>
  )
}

function QuerySuggestions({
  label,
  queries,
  onQuery,
}: {
  label: string
  queries: string[]
  onQuery: (query: string) => void
}) {
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2">
      <span className="text-muted">{label}</span>
      {queries.map((query) => (
        <button key={query} type="button" className="text-accent underline" onClick={() => onQuery(query)}>
          {query}
        </button>
      ))}
    </p>
  )
}
