import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog.tsx'
import { Card } from '../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, refetchQueries, useApi } from '../../server/api.ts'
import { formatBytes, formatNumber } from '../../text/format.ts'
import { WorkerTable } from './components/WorkerTable.tsx'
import { sortWorkers, type WorkerInfo } from './worker-health.ts'

const REFRESH_MS = 2000
const DRAIN_TEXT =
  'The worker stops taking URLs, finishes its requests in flight, requeues the rest and exits. Other workers take over.'
const DRAIN_LAST_TEXT =
  'This is the only worker. Once it exits, all crawls wait until you restart the server or start another worker.'

export function Workers() {
  const workers = useApi('listWorkers', {}, { refetchInterval: REFRESH_MS })
  const about = useApi('about', {}, { staleTime: 60_000 })
  const [toDrain, setToDrain] = useState<WorkerInfo | null>(null)
  const items = sortWorkers(workers.data?.items ?? [])
  const isLast = !items.some(({ state, worker_id }) => state === 'working' && worker_id !== toDrain?.worker_id)
  const drain = useMutation({
    mutationFn: (worker: WorkerInfo) =>
      // If this is the last worker, the dialog has asked for consent.
      client.drainWorker({ params: { worker_id: worker.worker_id }, body: { force: isLast } }),
    onSuccess: (worker) => {
      showToast(`${worker.name} is draining.`)
      void refetchQueries({ queryKey: ['listWorkers'] })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
    onSettled: () => setToDrain(null),
  })
  return (
    <>
      <SceneHeader title="Workers" />
      <div className="flex flex-col gap-3 px-4 pb-6 md:px-6">
        {items.length > 0 ? <FleetTotals workers={items} /> : null}
        <Card isFlush>
          {workers.isPending ? <SkeletonRows /> : null}
          {workers.isError && workers.data === undefined ? (
            <ErrorState error={workers.error} onRetry={() => void workers.refetch()} />
          ) : null}
          {workers.data !== undefined && items.length === 0 ? (
            <EmptyState icon="workers" title="No workers yet">
              Start one with <code className="font-mono">orbweaver worker</code>. It appears here within a second.
            </EmptyState>
          ) : null}
          {items.length > 0 ? (
            <WorkerTable workers={items} canDrain={about.data?.scope === 'admin'} onDrain={setToDrain} />
          ) : null}
        </Card>
      </div>
      {toDrain === null ? null : (
        <ConfirmDialog
          title={`Drain ${toDrain.name}?`}
          text={isLast ? DRAIN_LAST_TEXT : DRAIN_TEXT}
          action={isLast ? 'Stop all crawling' : 'Drain worker'}
          consent={isLast ? 'Stop all crawling on this server' : undefined}
          isBusy={drain.isPending}
          onConfirm={() => drain.mutate(toDrain)}
          onClose={() => setToDrain(null)}
        />
      )}
    </>
  )
}

/** The sums over all active workers. */
function FleetTotals({ workers }: { workers: WorkerInfo[] }) {
  const active = workers.filter(({ state }) => state === 'working' || state === 'draining')
  const sum = (pick: (worker: WorkerInfo) => number): number =>
    active.reduce((total, worker) => total + pick(worker), 0)
  const figures = [
    ['Active workers', formatNumber(active.length)],
    ['In flight', formatNumber(sum((worker) => worker.in_flight))],
    ['Requests last minute', formatNumber(sum((worker) => worker.recent_requests))],
    ['Failed last minute', formatNumber(sum((worker) => worker.recent_failures))],
    ['CPU', `${formatNumber(sum((worker) => worker.cpu_percent))}%`],
    ['Memory', formatBytes(sum((worker) => worker.rss_bytes))],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-6">
      {figures.map(([name, value]) => (
        <div key={name} className="rounded-lg border border-line bg-surface px-3 py-2">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="text-base font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
