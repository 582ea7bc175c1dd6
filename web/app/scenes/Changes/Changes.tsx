import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { withValues } from '../../page/query.ts'
import { isUnfinished } from '../../text/states.ts'
import { ChangeDrawer } from './components/ChangeDrawer.tsx'
import { ChangeFilterBar } from './components/ChangeFilterBar.tsx'
import { ChangeList } from './components/ChangeList.tsx'
import { NoChanges } from './components/NoChanges.tsx'
import { readFilters } from './filters.ts'
import { useChanges } from './useChanges.ts'

/** What changed on the pages of a crawl, day by day. */
export function Changes({ crawlId }: { crawlId: string }) {
  const { data: crawl } = useCrawl(crawlId)
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const changeId = Number(query.get('change'))
  const [isAtTop, setIsAtTop] = useState(true)
  const isPolled = crawl !== undefined && isUnfinished(crawl.status)
  const pages = useChanges(crawlId, filters, { isPolled, isAtTop: isAtTop && changeId === 0 })
  if (crawl === undefined) return null
  const isFiltered = filters.kinds.length > 0 || filters.minWords > 0 || filters.url !== ''
  const isEmpty = !pages.isPending && pages.error === null && pages.changes.length === 0

  return (
    <div className="flex h-full min-h-0 flex-col">
      <ChangeFilterBar
        crawlId={crawlId}
        counts={pages.counts}
        filters={filters}
        query={query}
        onChange={(after) => setQuery(after, { replace: true })}
      />
      {pages.isPending ? <SkeletonRows /> : null}
      {pages.error === null ? null : <ErrorState error={pages.error} onRetry={pages.refresh} />}
      {isEmpty && isFiltered ? (
        <EmptyState
          icon="filter"
          title="No matching changes"
          action={<Button onClick={() => setQuery({}, { replace: true })}>Clear filters</Button>}
        />
      ) : null}
      {isEmpty && !isFiltered ? <NoChanges crawl={crawl} pending={pages.counts?.pending ?? 0} /> : null}
      {pages.changes.length === 0 ? null : (
        <ChangeList
          key={JSON.stringify(filters)}
          pages={pages}
          hrefOf={(change) => `?${withValues(query, { change: String(change.change_id) })}`}
          onScroll={setIsAtTop}
        />
      )}
      {changeId > 0 ? (
        <ChangeDrawer
          crawl={crawl}
          changeId={changeId}
          pages={pages}
          onOpen={(id) => setQuery(withValues(query, { change: String(id) }), { replace: true })}
          onClose={() => setQuery(withValues(query, { change: '' }))}
        />
      ) : null}
    </div>
  )
}
