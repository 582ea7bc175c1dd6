import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/controls/Button.tsx'
import { ReadOnlyBadge } from '../../components/crawl/ReadOnlyBadge.tsx'
import { Card } from '../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { useApi } from '../../server/api.ts'
import { HitsCard } from './components/HitsCard.tsx'
import { MonitorDialog } from './components/MonitorDialog.tsx'
import { MonitorTable } from './components/MonitorTable.tsx'
import { REFRESH_MS } from './refresh.ts'

/** All monitors and their hits. */
export function Monitors() {
  const monitors = useApi('listMonitors', {}, { refetchInterval: REFRESH_MS })
  const [, navigate] = useLocation()
  const [isCreating, setIsCreating] = useState(false)
  const canChange = useHasScope('crawl')
  const create = (
    <Button icon="plus" variant="primary" onClick={() => setIsCreating(true)}>
      New monitor
    </Button>
  )
  const items = monitors.data?.items ?? []
  return (
    <>
      <SceneHeader title="Monitors">{!canChange ? <ReadOnlyBadge /> : items.length > 0 ? create : null}</SceneHeader>
      <div className="flex flex-col gap-3 px-4 pb-6 md:px-6">
        {monitors.isPending ? <SkeletonRows /> : null}
        {monitors.isError && monitors.data === undefined ? (
          <ErrorState error={monitors.error} onRetry={() => void monitors.refetch()} />
        ) : null}
        {monitors.data !== undefined && items.length === 0 ? (
          <EmptyState icon="monitors" title="No monitors yet" {...(canChange ? { action: create } : {})}>
            A monitor examines every page that your crawls visit. It finds words, values that change, such as a price,
            and copies of your documents.
          </EmptyState>
        ) : null}
        {items.length > 0 ? (
          <>
            <Card isFlush>
              <MonitorTable monitors={items} />
            </Card>
            <HitsCard monitor={null} />
          </>
        ) : null}
      </div>
      {isCreating ? (
        <MonitorDialog
          monitor={null}
          onSaved={({ monitor_id, rule }) =>
            navigate(`/monitors/${monitor_id}${rule.kind === 'copies' ? '?documents' : ''}`)
          }
          onClose={() => setIsCreating(false)}
        />
      ) : null}
    </>
  )
}
