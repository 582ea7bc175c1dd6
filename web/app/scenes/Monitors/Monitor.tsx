import { useSearchParams } from 'wouter'
import { LinkButton } from '../../components/controls/Button.tsx'
import { Badge } from '../../components/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SceneSkeleton } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { withValues } from '../../page/query.ts'
import { hasErrorCode, useApi } from '../../server/api.ts'
import { plural } from '../../text/format.ts'
import { DocumentsDialog } from './components/DocumentsDialog.tsx'
import { HitsCard } from './components/HitsCard.tsx'
import { MonitorControls } from './components/MonitorControls.tsx'
import { REFRESH_MS } from './refresh.ts'
import { ruleText } from './rule-form.ts'

/** One monitor: what it watches for, and its hits. */
export function Monitor({ monitorId }: { monitorId: string }) {
  const { data, error, refetch } = useApi(
    'getMonitor',
    { params: { monitor_id: monitorId } },
    { refetchInterval: REFRESH_MS },
  )
  const [query, setQuery] = useSearchParams()
  if (data === undefined) {
    if (hasErrorCode(error, 'MONITOR_NOT_FOUND')) return <MonitorNotFound monitorId={monitorId} />
    return error === null ? <SceneSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <SceneHeader title={data.name}>
        <MonitorControls monitor={data} onDocuments={() => setQuery(withValues(query, { documents: '1' }))} />
      </SceneHeader>
      <div className="flex flex-col gap-3 px-4 pb-6 md:px-6">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 break-words text-muted">
          <span className="min-w-0 break-words">
            {ruleText(data)}, in {data.crawl_ids.length === 0 ? 'all crawls' : plural(data.crawl_ids.length, 'crawl')}
          </span>
          {data.muted ? <Badge tone="warn">Muted: nobody is notified</Badge> : null}
          {data.muted_urls.length === 0 ? null : <Badge>{plural(data.muted_urls.length, 'muted URL')}</Badge>}
        </p>
        <HitsCard monitor={data} />
      </div>
      {query.has('documents') && data.rule.kind === 'copies' ? (
        <DocumentsDialog monitor={data} onClose={() => setQuery(withValues(query, { documents: '' }))} />
      ) : null}
    </>
  )
}

function MonitorNotFound({ monitorId }: { monitorId: string }) {
  return (
    <EmptyState
      icon="compass"
      title="Monitor not found"
      action={<LinkButton href="/monitors">View all monitors</LinkButton>}
    >
      There is no monitor with the ID {monitorId}. It may have been deleted.
    </EmptyState>
  )
}
