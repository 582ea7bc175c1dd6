import { useSearchParams } from 'wouter'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { isUnfinished } from '../../text/states.ts'
import { FilterBar } from './components/FilterBar.tsx'
import { UrlDetailsDrawer } from './components/UrlDetailsDrawer.tsx'
import { UrlTable } from './components/UrlTable.tsx'
import { readFilters, readSort, toUrlQuery, withValues } from './filters.ts'

const REFRESH_MS = 3000

export function Urls({ crawlId }: { crawlId: string }) {
  const { data: crawl } = useCrawl(crawlId)
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const sort = readSort(query)
  const urlId = Number(query.get('url'))
  const urlQuery = { ...toUrlQuery(filters), sort: sort.key, order: sort.order }
  // Remounts the table for another list, and is the storage key of its scroll position.
  const listKey = `orbweaver.list ${crawlId} ${JSON.stringify(urlQuery)}`
  return (
    <div className="flex h-full min-h-0 flex-col">
      <FilterBar
        crawlId={crawlId}
        states={crawl?.states}
        filters={filters}
        query={query}
        onChange={(after) => setQuery(after, { replace: true })}
      />
      <UrlTable
        key={listKey}
        crawlId={crawlId}
        listKey={listKey}
        query={urlQuery}
        sort={sort}
        refreshMs={crawl !== undefined && isUnfinished(crawl.status) ? REFRESH_MS : false}
        onSort={(next) =>
          setQuery(
            withValues(
              query,
              next.key === 'found' && next.order === 'asc'
                ? { sort: '', order: '' }
                : { sort: next.key, order: next.order },
            ),
            { replace: true },
          )
        }
      />
      {urlId > 0 ? (
        <UrlDetailsDrawer
          key={urlId}
          crawlId={crawlId}
          urlId={urlId}
          onClose={() => setQuery(withValues(query, { url: '' }))}
        />
      ) : null}
    </div>
  )
}
