import { Link } from 'wouter'
import { Button, IconButton } from '../../../components/controls/Button.tsx'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { urlsHref } from '../../../page/navigation.ts'
import { errorMessage, useApi } from '../../../server/api.ts'
import { formatDateTime } from '../../../text/format.ts'
import { type Hit, useHitActions } from '../useHits.ts'
import { Evidence } from './Evidence.tsx'
import { HitState } from './HitRow.tsx'

/** One hit with its evidence. j and k step through the list behind it. */
export function HitDrawer({
  hitId,
  hits,
  onOpen,
  onClose,
}: {
  hitId: number
  hits: readonly Hit[]
  onOpen: (hitId: number) => void
  onClose: () => void
}) {
  const { data, error, refetch } = useApi('getHit', { params: { hit_id: hitId } })
  const at = hits.findIndex(({ hit_id }) => hit_id === hitId)
  const previous = hits[at - 1]
  const next = at === -1 ? undefined : hits[at + 1]
  const step = (hit: Hit | undefined): void => hit && onOpen(hit.hit_id)
  useShortcuts([
    { keys: 'j', label: 'Next hit', isInDialog: true, run: () => step(next) },
    { keys: 'k', label: 'Previous hit', isInDialog: true, run: () => step(previous) },
  ])
  return (
    <Drawer
      title={data?.monitor_name ?? 'Hit'}
      onClose={onClose}
      actions={
        <>
          <IconButton
            label="Previous hit (k)"
            icon="up"
            tip="left"
            disabled={previous === undefined}
            onClick={() => step(previous)}
          />
          <IconButton
            label="Next hit (j)"
            icon="down"
            tip="left"
            disabled={next === undefined}
            onClick={() => step(next)}
          />
        </>
      }
    >
      {data === undefined && error === null ? <SkeletonRows rows={6} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : <HitDetails hit={data} />}
    </Drawer>
  )
}

function HitDetails({ hit }: { hit: Hit }) {
  const { acknowledge, setMuted, isBusy, error } = useHitActions()
  const monitor = useApi('getMonitor', { params: { monitor_id: hit.monitor_id } })
  const isUrlMuted = monitor.data?.muted_urls.includes(hit.url) ?? false
  return (
    <div className="flex flex-col gap-4">
      <div>
        <ExternalUrl url={hit.url} />
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <HitState hit={hit} />
          <time dateTime={hit.visited_at}>{formatDateTime(new Date(hit.visited_at))}</time>
          <span>Version {hit.version}</span>
          <Link href={urlsHref(hit.crawl_id, { text: hit.url })} className="text-accent hover:underline">
            View in crawl
          </Link>
        </div>
        {hit.title === null ? null : <p className="mt-2 font-medium break-words">{hit.title}</p>}
      </div>
      {useHasScope('crawl') ? (
        <div className="flex flex-wrap gap-2">
          {hit.acknowledged_at === null ? (
            <Button icon="check" variant="primary" disabled={isBusy} onClick={() => acknowledge(hit)}>
              Acknowledge
            </Button>
          ) : null}
          <Button disabled={isBusy || monitor.data === undefined} onClick={() => setMuted(hit, !isUrlMuted)}>
            {isUrlMuted ? 'Unmute this URL' : 'Mute this URL'}
          </Button>
        </div>
      ) : null}
      {error === null ? null : (
        <p role="alert" className="text-bad">
          {errorMessage(error)}
        </p>
      )}
      <Evidence evidence={hit.evidence} />
    </div>
  )
}
