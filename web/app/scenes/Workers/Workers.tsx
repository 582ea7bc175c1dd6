import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog.tsx'
import { Card } from '../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, queryClient, useApi } from '../../server/api.ts'
import { formatBytes, formatNumber } from '../../text/format.ts'
import { WorkerTable } from './components/WorkerTable.tsx'
import { sortWorkers, type WorkerInfo } from './worker-health.ts'

const REFRESH_MS = 2000
const TEXT =
  'It takes no new URLs, finishes the requests that are under way, hands back the rest and leaves. Other workers go on with its URLs.'
const LAST_TEXT =
  'This is the only worker. When it has left, all crawls wait until another one is running. A worker that has left cannot be called back: restart the server, or in a cluster start another worker.'

export function Workers() {
  const workers = useApi('listWorkers', {}, { refetchInterval: REFRESH_MS })
  const about = useApi('about', {}, { staleTime: 60_000 })
  const [toDrain, setToDrain] = useState<WorkerInfo | null>(null)
  const drain = useMutation({
    mutationFn: (worker: WorkerInfo) => client.drainWorker({ params: { worker_id: worker.worker_id } }),
    onSuccess: (worker) => {
      showToast(`${worker.name} finishes what it has and leaves.`)
      void queryClient.invalidateQueries({ queryKey: ['listWorkers'] })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
    onSettled: () => setToDrain(null),
  })
  const items = sortWorkers(workers.data?.items ?? [])
  const isLast = !items.some(({ state, worker_id }) => state === 'working' && worker_id !== toDrain?.worker_id)
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
            <EmptyState icon="workers" title="No worker has been seen">
              A process with the role worker appears here within a second of its start.
            </EmptyState>
          ) : null}
          {items.length > 0 ? (
            <WorkerTable workers={items} mayDrain={about.data?.scope === 'admin'} onDrain={setToDrain} />
          ) : null}
        </Card>
      </div>
      {toDrain === null ? null : (
        <ConfirmDialog
          title={`Drain ${toDrain.name}`}
          text={isLast ? LAST_TEXT : TEXT}
          action={isLast ? 'Stop all crawling' : 'Drain it'}
          isBusy={drain.isPending}
          onConfirm={() => drain.mutate(toDrain)}
          onClose={() => setToDrain(null)}
        />
      )}
    </>
  )
}

/** Those at work, added up. */
function FleetTotals({ workers }: { workers: WorkerInfo[] }) {
  const working = workers.filter(({ state }) => state === 'working' || state === 'draining')
  const sum = (pick: (worker: WorkerInfo) => number): number =>
    working.reduce((total, worker) => total + pick(worker), 0)
  const figures = [
    ['At work', formatNumber(working.length)],
    ['In flight', formatNumber(sum((worker) => worker.in_flight))],
    ['Requests, last minute', formatNumber(sum((worker) => worker.recent_requests))],
    ['Without answer', formatNumber(sum((worker) => worker.recent_failures))],
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
