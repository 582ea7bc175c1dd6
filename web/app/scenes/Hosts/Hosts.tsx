import { useInfiniteQuery, useMutation, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/controls/Button.tsx'
import { Input } from '../../components/controls/Input.tsx'
import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog.tsx'
import { Card } from '../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { useDebounced } from '../../hooks/useDebounced.ts'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, refetchQueries, toQueryKey } from '../../server/api.ts'
import { plural } from '../../text/format.ts'
import { isUnfinished } from '../../text/states.ts'
import { HostTable } from './components/HostTable.tsx'
import { TrapTable } from './components/TrapTable.tsx'
import type { Host } from './robots-status.ts'

const REFRESH_MS = 5000
const PAGE_SIZE = 100

export function Hosts({ crawlId }: { crawlId: string }) {
  const [params, setParams] = useSearchParams()
  const text = params.get('text') ?? ''
  const debouncedText = useDebounced(text, 250)
  const crawl = useCrawl(crawlId)
  const isRunning = crawl.data !== undefined && isUnfinished(crawl.data.status)
  const refetchInterval = isRunning && REFRESH_MS
  const pageAt = (cursor: string | null) => ({
    params: { crawl_id: crawlId },
    query: {
      limit: PAGE_SIZE,
      ...(debouncedText === '' ? {} : { text: debouncedText }),
      ...(cursor === null ? {} : { cursor }),
    },
  })
  const hosts = useInfiniteQuery({
    queryKey: ['listHosts', { params: { crawl_id: crawlId } }, debouncedText],
    queryFn: ({ pageParam, signal }) => client.listHosts(pageAt(pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval,
  })
  // A separate query for the same pages, since it is slower than the list of hosts.
  const pages = hosts.data?.pages ?? []
  const measured = useQueries({
    queries: pages
      .map((_, i) => pages[i - 1]?.next_cursor ?? null)
      .map((cursor) => ({
        queryKey: toQueryKey('getPoliteness', pageAt(cursor)),
        queryFn: ({ signal }: { signal: AbortSignal }) => client.getPoliteness(pageAt(cursor), { signal }),
        refetchInterval,
      })),
  })
  const canControl = useHasScope('crawl')
  const [toBlock, setToBlock] = useState<string | null>(null)
  const setBlocked = useMutation({
    mutationFn: ({ host, isBlocked }: { host: string; isBlocked: boolean }) => {
      const input = { params: { crawl_id: crawlId, host } }
      return isBlocked ? client.blockHost(input) : client.releaseHost(input)
    },
    onSuccess: ({ host, is_blocked, urls }) => {
      const [verb, effect] = is_blocked ? ['blocked', 'excluded'] : ['unblocked', 'queued again']
      showToast(`${host} ${verb}. ${plural(urls, 'URL')} ${effect}.`)
      setToBlock(null)
      void refetchQueries({ queryKey: ['listHosts'] })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
  })
  const rows: Host[] = pages.flatMap((page) => page.items)

  return (
    <div className="flex flex-col gap-3 p-4 md:px-6">
      <Card
        title="Hosts"
        isFlush
        aside={
          <Input
            type="search"
            aria-label="Filter hosts"
            placeholder="Filter hosts"
            className="w-48"
            value={text}
            onChange={(event) =>
              setParams(event.target.value === '' ? {} : { text: event.target.value }, { replace: true })
            }
          />
        }
      >
        {hosts.isPending ? <SkeletonRows /> : null}
        {hosts.isError && hosts.data === undefined ? (
          <ErrorState error={hosts.error} onRetry={() => void hosts.refetch()} />
        ) : null}
        {hosts.data !== undefined && rows.length === 0 ? (
          <EmptyState icon="hosts" title={text === '' ? 'No hosts yet' : 'No matching hosts'} />
        ) : null}
        {rows.length > 0 ? (
          <HostTable
            crawlId={crawlId}
            isRunning={isRunning}
            hosts={rows}
            measured={measured.flatMap(({ data }) => data?.items ?? [])}
            canControl={canControl}
            isBusy={setBlocked.isPending}
            onBlock={setToBlock}
            onUnblock={(host) => setBlocked.mutate({ host, isBlocked: false })}
          />
        ) : null}
        {hosts.hasNextPage ? (
          <div className="p-2 text-center">
            <Button disabled={hosts.isFetchingNextPage} onClick={() => void hosts.fetchNextPage()}>
              Show more
            </Button>
          </div>
        ) : null}
      </Card>
      <TrapTable crawlId={crawlId} isRunning={isRunning} />
      {toBlock === null ? null : (
        <ConfirmDialog
          title={`Block ${toBlock}?`}
          text="This crawl stops visiting the host and excludes its queued URLs. Unblocking the host queues them again."
          action="Block host"
          isBusy={setBlocked.isPending}
          onConfirm={() => setBlocked.mutate({ host: toBlock, isBlocked: true })}
          onClose={() => setToBlock(null)}
        />
      )}
    </div>
  )
}
