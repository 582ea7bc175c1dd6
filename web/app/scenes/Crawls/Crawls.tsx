import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { Button, LinkButton } from '../../components/controls/Button.tsx'
import { ToggleChip } from '../../components/controls/Chip.tsx'
import { FilterInput } from '../../components/controls/FilterInput.tsx'
import { ReadOnlyBadge } from '../../components/crawl/ReadOnlyBadge.tsx'
import { SampleSiteButton } from '../../components/crawl/SampleSiteButton.tsx'
import { Card } from '../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useCrawlEvents } from '../../hooks/useCrawlEvents.ts'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { type CrawlStatus, client, toQueryKey } from '../../server/api.ts'
import { CRAWL_STATUS_STYLES, CRAWL_STATUSES } from '../../text/states.ts'
import { CrawlTable } from './components/CrawlTable.tsx'
import { FirstRun } from './components/FirstRun.tsx'

const PAGE_SIZE = 50
const POLL_INTERVAL_MS = 2000

export function Crawls() {
  const [query, setQuery] = useSearchParams()
  const status = CRAWL_STATUSES.find((known) => known === query.get('status'))
  const text = query.get('text') ?? ''
  const list = useCrawlList(status, text)
  const canCrawl = useHasScope('crawl')
  const setFilter = (name: string, value: string | undefined): void => {
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === undefined || value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  }
  const crawls = list.data?.pages.flatMap(({ items }) => items)
  const isFiltered = status !== undefined || text !== ''
  if (crawls?.length === 0 && !isFiltered) return canCrawl ? <FirstRun /> : <NoCrawls />

  return (
    <>
      <SceneHeader title="Crawls">
        {canCrawl ? (
          <LinkButton href="/new" variant="primary" icon="plus">
            New crawl
          </LinkButton>
        ) : (
          <ReadOnlyBadge />
        )}
      </SceneHeader>
      <div className="flex flex-col gap-3 px-4 pb-6 md:px-6">
        <div className="flex flex-wrap items-center gap-2">
          <FilterInput
            label="Filter by URL or ID"
            text={text}
            onChange={(value) => setFilter('text', value)}
            className="max-w-64"
          />
          {CRAWL_STATUSES.map((choice) => (
            <ToggleChip
              key={choice}
              isOn={choice === status}
              onChange={(isOn) => setFilter('status', isOn ? choice : undefined)}
            >
              <span className="h-2 w-2 rounded-full" style={{ background: CRAWL_STATUS_STYLES[choice].colour }} />
              {CRAWL_STATUS_STYLES[choice].label}
            </ToggleChip>
          ))}
        </div>
        <Card isFlush>
          {crawls === undefined ? (
            list.error === null ? (
              <SkeletonRows />
            ) : (
              <ErrorState error={list.error} onRetry={() => void list.refetch()} />
            )
          ) : crawls.length === 0 ? (
            <EmptyState
              icon="filter"
              title="No matching crawls"
              action={
                <>
                  <Button onClick={() => setQuery({})}>Clear filters</Button>
                  <SampleSiteButton />
                </>
              }
            />
          ) : (
            <CrawlTable crawls={crawls} />
          )}
        </Card>
        {list.hasNextPage ? (
          <Button className="self-center" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        ) : null}
      </div>
    </>
  )
}

function NoCrawls() {
  return (
    <>
      <SceneHeader title="Crawls">
        <ReadOnlyBadge />
      </SceneHeader>
      <EmptyState icon="crawls" title="No crawls yet">
        Crawls appear here when someone starts one. Your token is read-only and cannot start crawls.
      </EmptyState>
    </>
  )
}

function useCrawlList(status: CrawlStatus | undefined, text: string) {
  const isStreaming = useCrawlEvents()
  const input = {
    query: { limit: PAGE_SIZE, ...(status === undefined ? {} : { status }), ...(text === '' ? {} : { text }) },
  }
  return useInfiniteQuery({
    queryKey: [...toQueryKey('listCrawls', input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      client.listCrawls({ query: { ...input.query, ...(pageParam === '' ? {} : { cursor: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: (before) => before,
    refetchInterval: isStreaming ? false : POLL_INTERVAL_MS,
  })
}
