import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, refetchQueries, useApi } from '../../../server/api.ts'
import { EVENT_LABELS, EVENTS, type Webhook } from '../choice-labels.ts'
import { NewWebhook } from './NewWebhook.tsx'

export function Webhooks() {
  const hooks = useApi('listWebhooks', {}, { refetchInterval: 10_000 })
  const [toDelete, setToDelete] = useState<Webhook | null>(null)
  const remove = useMutation({
    mutationFn: (hook: Webhook) => client.deleteWebhook({ params: { webhook_id: hook.webhook_id } }),
    onSuccess: () => {
      showToast('Webhook removed.')
      void refetchQueries({ queryKey: ['listWebhooks'] })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
    onSettled: () => setToDelete(null),
  })
  const items = hooks.data?.items ?? []
  return (
    <Card title="Webhooks" isFlush>
      <p className="px-3 pt-3 text-muted">
        Orbweaver sends a signed POST request when a crawl changes its status, pages change or a monitor has a hit.
      </p>
      <NewWebhook />
      {hooks.isPending ? <SkeletonRows rows={2} /> : null}
      {hooks.isError ? <ErrorState error={hooks.error} onRetry={() => void hooks.refetch()} /> : null}
      {hooks.data !== undefined && items.length === 0 ? <p className="p-3 text-muted">No webhooks yet.</p> : null}
      {items.length > 0 ? (
        <Table label="Webhooks">
          <thead>
            <tr>
              <Th>URL</Th>
              <Th>Events</Th>
              <Th>Last delivery</Th>
              <ActionsHeader />
            </tr>
          </thead>
          <tbody>
            {items.map((hook) => (
              <Tr key={hook.webhook_id}>
                <Td className="max-w-72 break-all">{hook.url}</Td>
                <Td>
                  {hook.events.length === EVENTS.length
                    ? 'All'
                    : hook.events.map((event) => EVENT_LABELS[event]).join(', ')}
                </Td>
                <Td>
                  <Delivery last={hook.last_delivery} />
                </Td>
                <Td className="text-right">
                  <Button variant="danger" aria-label={`Remove ${hook.url}`} onClick={() => setToDelete(hook)}>
                    Remove
                  </Button>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      ) : null}
      {toDelete === null ? null : (
        <ConfirmDialog
          title="Remove this webhook?"
          text={`Orbweaver stops sending events to ${toDelete.url}.`}
          action="Remove webhook"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(toDelete)}
          onClose={() => setToDelete(null)}
        />
      )}
    </Card>
  )
}

function Delivery({ last }: { last: Webhook['last_delivery'] }) {
  if (last === null) return <span className="text-muted">None yet</span>
  const isGood = last.status !== null && last.status < 300
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={isGood ? 'good' : 'bad'}>{last.status ?? 'No response'}</Badge>
      <RelativeTime at={last.at} />
      {last.problem === null ? null : <span className="text-xs text-muted">{last.problem}</span>}
    </span>
  )
}
