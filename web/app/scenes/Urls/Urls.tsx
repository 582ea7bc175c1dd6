import { useSearchParams } from 'wouter'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { withValues } from '../../page/query.ts'
import { useStore } from '../../page/store.ts'
import { isUnfinished } from '../../text/states.ts'
import { columnStore, readColumns, storeColumns } from './columns.tsx'
import { FilterBar } from './components/FilterBar.tsx'
import { UrlTable } from './components/UrlTable.tsx'
import { readFilters, readSort, toUrlQuery } from './filters.ts'
import { useUrlCounts } from './useUrlCounts.ts'

const REFRESH_MS = 3000

export function Urls({ crawlId }: { crawlId: string }) {
  const { data: crawl } = useCrawl(crawlId)
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const sort = readSort(query)
  const columns = readColumns(query, useStore(columnStore))
  const refreshMs = crawl !== undefined && isUnfinished(crawl.status) ? REFRESH_MS : false
  const matches = useUrlCounts(crawl, filters, refreshMs)
  const urlQuery = { ...toUrlQuery(filters), sort: sort.key, order: sort.order }
  // Remounts the table for another list, and is the storage key of its scroll position.
  const listKey = `orbweaver.list ${crawlId} ${JSON.stringify(urlQuery)}`
  return (
    <div className="flex h-full min-h-0 flex-col">
      <FilterBar
        crawlId={crawlId}
        states={crawl?.states ?? {}}
        matches={matches}
        filters={filters}
        listQuery={urlQuery}
        columns={columns}
        query={query}
        onChange={(after) => setQuery(after, { replace: true })}
        onColumns={(ids) => {
          storeColumns(ids)
          setQuery(withValues(query, { columns: ids.join(',') }), { replace: true })
        }}
      />
      <UrlTable
        key={listKey}
        crawlId={crawlId}
        mainHost={crawl === undefined ? null : new URL(crawl.root_url).host}
        listKey={listKey}
        query={urlQuery}
        columns={columns}
        sort={sort}
        total={matches?.isComplete === true ? matches.total : null}
        refreshMs={refreshMs}
        openUrlId={Number(query.get('url')) || null}
        onOpen={(urlId, isStep) =>
          setQuery(withValues(query, { url: urlId === null ? '' : String(urlId) }), { replace: isStep })
        }
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
    </div>
  )
}
