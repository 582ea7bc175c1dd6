import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { Button } from '../../../components/controls/Button.tsx'
import { ReadOnlyBadge } from '../../../components/crawl/ReadOnlyBadge.tsx'
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog.tsx'
import { FeedLink } from '../../../components/display/FeedLink.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, routeUrl } from '../../../server/api.ts'
import { refreshMonitors } from '../refresh.ts'
import type { Monitor } from '../rule-form.ts'
import { MonitorDialog } from './MonitorDialog.tsx'

const showError = (error: Error): void => showToast(errorMessage(error), 'bad')

/** The actions on a monitor. */
export function MonitorControls({ monitor, onDocuments }: { monitor: Monitor; onDocuments: () => void }) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const [scannedPercent, setScannedPercent] = useState<number | null>(null)
  const [, navigate] = useLocation()
  const params = { monitor_id: monitor.monitor_id }
  const mute = useMutation({
    mutationFn: () => client.changeMonitor({ params, body: { muted: !monitor.muted } }),
    onSuccess: refreshMonitors,
    onError: showError,
  })
  const scan = useMutation({
    async mutationFn() {
      let newHits = 0
      for (let after: number | null = 0; after !== null; ) {
        const scanned: RouteResponse<'scanArchive'> = await client.scanArchive({ params, body: { after } })
        newHits += scanned.new_hits
        after = scanned.next
        setScannedPercent(after === null ? null : Math.floor((100 * after) / Math.max(1, scanned.newest)))
      }
      return newHits
    },
    async onSuccess(newHits) {
      showToast(newHits === 1 ? 'Archive scanned: 1 new hit.' : `Archive scanned: ${newHits} new hits.`)
      await refreshMonitors()
    },
    onError: showError,
    onSettled: () => setScannedPercent(null),
  })
  const remove = useMutation({
    mutationFn: () => client.deleteMonitor({ params }),
    onSuccess: () => {
      showToast(`Monitor ${monitor.name} deleted.`)
      navigate('/monitors')
      return refreshMonitors()
    },
    onError: showError,
  })
  const feed = <FeedLink href={routeUrl('getMonitorFeed', { params })} title="The hits of this monitor" />
  if (!useHasScope('crawl')) {
    return (
      <>
        {feed}
        <ReadOnlyBadge />
      </>
    )
  }
  return (
    <>
      {monitor.rule.kind === 'copies' ? <Button onClick={onDocuments}>Documents</Button> : null}
      <Button icon="edit" onClick={() => setDialog('edit')}>
        Edit
      </Button>
      <Button disabled={mute.isPending} onClick={() => mute.mutate()}>
        {monitor.muted ? 'Unmute' : 'Mute'}
      </Button>
      <Button disabled={scan.isPending} onClick={() => scan.mutate()}>
        {scannedPercent === null ? 'Scan archive' : `Scanning, ${scannedPercent}%`}
      </Button>
      {feed}
      <Button variant="danger" onClick={() => setDialog('delete')}>
        Delete
      </Button>
      {dialog === 'edit' ? <MonitorDialog monitor={monitor} onClose={() => setDialog(null)} /> : null}
      {dialog === 'delete' ? (
        <ConfirmDialog
          title="Delete this monitor?"
          text="This deletes the monitor with its documents and hits. It cannot be undone."
          action="Delete monitor"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  )
}
