import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { Button, IconButton } from '../../components/controls/Button.tsx'
import { Card } from '../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { withValues } from '../../page/query.ts'
import { client, useApi } from '../../server/api.ts'
import { ChangeTable } from './components/ChangeTable.tsx'
import { ComparisonCounts } from './components/ComparisonCounts.tsx'
import { CrawlSelect } from './components/CrawlSelect.tsx'
import { DifferenceDrawer } from './components/DifferenceDrawer.tsx'

/** Compares two crawls: URLs that were added, removed or changed. */
export function Compare() {
  const [params, setParams] = useSearchParams()
  const a = params.get('a') ?? ''
  const b = params.get('b') ?? ''
  const crawls = useApi('listCrawls', { query: { limit: 200 } })
  const setCrawls = (changes: Record<string, string>): void =>
    setParams((before) => withValues(before, { ...changes, url: '' }), { replace: true })
  const items = crawls.data?.items ?? []

  return (
    <>
      <SceneHeader title="Compare crawls" />
      <div className="flex flex-col gap-3 px-4 pb-6 md:px-6">
        <div className="flex flex-col items-stretch gap-2 sm:flex-row sm:items-end">
          <CrawlSelect label="Before" crawls={items} value={a} onSelect={(id) => setCrawls({ a: id })} />
          <IconButton
            label="Swap crawls"
            icon="compare"
            disabled={a === '' && b === ''}
            onClick={() => setCrawls({ a: b, b: a })}
          />
          <CrawlSelect label="After" crawls={items} value={b} onSelect={(id) => setCrawls({ b: id })} />
        </div>
        {crawls.isError ? <ErrorState error={crawls.error} onRetry={() => void crawls.refetch()} /> : null}
        {crawls.data !== undefined && items.length < 2 && a === '' ? (
          <EmptyState icon="compare" title="Not enough crawls">
            Run a crawl a second time, then compare the two here.
          </EmptyState>
        ) : a === '' || b === '' ? (
          <EmptyState icon="compare" title="Select two crawls">
            Select two crawls of the same site, the earlier one first.
          </EmptyState>
        ) : a === b ? (
          <EmptyState icon="compare" title="Same crawl on both sides">
            Select two different crawls.
          </EmptyState>
        ) : (
          <Comparison key={`${a} ${b}`} a={a} b={b} query={params} onQuery={setParams} />
        )}
      </div>
    </>
  )
}

interface ComparisonProps {
  a: string
  b: string
  query: URLSearchParams
  onQuery: (query: URLSearchParams) => void
}

function Comparison({ a, b, query, onQuery }: ComparisonProps) {
  const comparison = useInfiniteQuery({
    queryKey: ['compareCrawls', a, b],
    queryFn: ({ pageParam, signal }) =>
      client.compareCrawls(
        { query: { a, b, limit: 200, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 30_000,
  })
  const first = comparison.data?.pages[0]
  if (first === undefined) {
    return comparison.isError ? (
      <ErrorState error={comparison.error} onRetry={() => void comparison.refetch()} />
    ) : (
      <SkeletonRows />
    )
  }
  const items = comparison.data?.pages.flatMap((page) => page.items) ?? []
  const url = query.get('url') ?? ''
  return (
    <>
      <ComparisonCounts added={first.added} removed={first.removed} changed={first.changed} same={first.same} />
      <Card title="Differences" isFlush>
        {items.length === 0 ? (
          <EmptyState icon="check" title="No differences">
            Both crawls have the same URLs with the same outcomes.
          </EmptyState>
        ) : (
          <ChangeTable items={items} hrefOf={(url) => `/compare?${withValues(query, { url })}`} />
        )}
        {comparison.hasNextPage ? (
          <div className="p-2 text-center">
            <Button disabled={comparison.isFetchingNextPage} onClick={() => void comparison.fetchNextPage()}>
              Show more
            </Button>
          </div>
        ) : null}
      </Card>
      {url === '' ? null : (
        <DifferenceDrawer
          key={url}
          url={url}
          difference={items.find((item) => item.url === url)}
          a={a}
          b={b}
          onClose={() => onQuery(withValues(query, { url: '' }))}
        />
      )}
    </>
  )
}
