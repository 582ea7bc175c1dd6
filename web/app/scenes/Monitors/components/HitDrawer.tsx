import { Link } from 'wouter'
import { Button } from '../../../components/controls/Button.tsx'
import { StepDrawer } from '../../../components/dialogs/StepDrawer.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
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
  const query = useApi('getHit', { params: { hit_id: hitId } })
  const at = hits.findIndex(({ hit_id }) => hit_id === hitId)
  const stepTo = (hit: Hit | undefined) => (hit === undefined || at === -1 ? undefined : () => onOpen(hit.hit_id))
  return (
    <StepDrawer
      noun="hit"
      title={query.data?.monitor_name ?? 'Hit'}
      query={query}
      onPrevious={stepTo(hits[at - 1])}
      onNext={stepTo(hits[at + 1])}
      onClose={onClose}
    >
      {(hit) => <HitDetails hit={hit} />}
    </StepDrawer>
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
