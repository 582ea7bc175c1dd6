import { useSearchParams } from 'wouter'
import { Button, LinkButton } from '../../../components/controls/Button.tsx'
import { ToggleChip } from '../../../components/controls/Chip.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { withValues } from '../../../page/query.ts'
import type { Monitor } from '../rule-form.ts'
import { useHitActions, useHits } from '../useHits.ts'
import { HitDrawer } from './HitDrawer.tsx'
import { HitRow } from './HitRow.tsx'

/** The hits of one monitor, or of all. By default, only open hits are shown. */
export function HitsCard({ monitor }: { monitor: Monitor | null }) {
  const [query, setQuery] = useSearchParams()
  const isOpen = !query.has('all')
  const hits = useHits(monitor?.monitor_id ?? null, isOpen)
  const actions = useHitActions()
  const canChange = useHasScope('crawl')
  const items = hits.data?.pages.flatMap((page) => page.items) ?? []
  const newest = items[0]
  const hitId = Number(query.get('hit'))
  return (
    <Card
      title="Hits"
      isFlush
      aside={
        <span className="flex flex-wrap items-center justify-end gap-2">
          {canChange && monitor !== null && monitor.open_hits > 1 && newest !== undefined ? (
            <Button variant="quiet" disabled={actions.isBusy} onClick={() => actions.acknowledgeUpTo(newest)}>
              Acknowledge all
            </Button>
          ) : null}
          <ToggleChip isOn={!isOpen} onChange={(isOn) => setQuery(withValues(query, { all: isOn ? '1' : '' }))}>
            Show acknowledged
          </ToggleChip>
        </span>
      }
    >
      {hits.isPending ? <SkeletonRows rows={3} /> : null}
      {hits.isError && hits.data === undefined ? (
        <ErrorState error={hits.error} onRetry={() => void hits.refetch()} />
      ) : null}
      {hits.data !== undefined && items.length === 0 ? <NoHits monitor={monitor} isOpen={isOpen} /> : null}
      {items.length > 0 ? (
        <ul>
          {items.map((hit) => (
            <HitRow
              key={hit.hit_id}
              hit={hit}
              hasName={monitor === null}
              href={`?${withValues(query, { hit: String(hit.hit_id) })}`}
            />
          ))}
        </ul>
      ) : null}
      {hits.hasNextPage ? (
        <div className="p-2 text-center">
          <Button disabled={hits.isFetchingNextPage} onClick={() => void hits.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
      {hitId > 0 ? (
        <HitDrawer
          hitId={hitId}
          hits={items}
          onOpen={(id) => setQuery(withValues(query, { hit: String(id) }), { replace: true })}
          onClose={() => setQuery(withValues(query, { hit: '' }))}
        />
      ) : null}
    </Card>
  )
}

function NoHits({ monitor, isOpen }: { monitor: Monitor | null; isOpen: boolean }) {
  const canChange = useHasScope('crawl')
  if (monitor?.rule.kind === 'copies' && monitor.documents === 0) {
    return (
      <EmptyState
        icon="copy"
        title="No documents yet"
        {...(canChange
          ? { action: <LinkButton href={`/monitors/${monitor.monitor_id}?documents`}>Add documents</LinkButton> }
          : {})}
      >
        Add the documents whose copies you want to find.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="check" title={isOpen && monitor !== null && monitor.hits > 0 ? 'No open hits' : 'No hits yet'}>
      Pages are examined when a crawl visits them. While it runs, that takes up to a minute.
    </EmptyState>
  )
}
