import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../components/controls/Button.tsx'
import { Dialog } from '../../../components/dialogs/Dialog.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { client, errorMessage, useApi } from '../../../server/api.ts'
import { formatNumber, shortUrl } from '../../../text/format.ts'
import { refreshMonitors } from '../refresh.ts'
import type { Monitor } from '../rule-form.ts'
import { AddDocuments } from './AddDocuments.tsx'

/** The protected documents of a monitor. */
export function DocumentsDialog({ monitor, onClose }: { monitor: Monitor; onClose: () => void }) {
  const params = { monitor_id: monitor.monitor_id }
  const documents = useApi('listMonitorDocuments', { params })
  const canChange = useHasScope('crawl')
  const remove = useMutation({
    mutationFn: (documentId: string) =>
      client.deleteMonitorDocument({ params: { ...params, document_id: documentId } }),
    onSuccess: refreshMonitors,
  })
  const items = documents.data?.items ?? []
  return (
    <Dialog title="Protected documents" isWide onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
      <div className="flex flex-col gap-4">
        {canChange ? <AddDocuments monitorId={monitor.monitor_id} /> : null}
        {documents.isPending ? <SkeletonRows rows={2} /> : null}
        {documents.isError ? <ErrorState error={documents.error} onRetry={() => void documents.refetch()} /> : null}
        {documents.data !== undefined && items.length === 0 ? (
          <p className="text-muted">No documents yet. Add the texts whose copies you want to find.</p>
        ) : null}
        {items.length > 0 ? (
          <div className="rounded border border-line">
            <Table label="Documents">
              <thead>
                <tr>
                  <Th>Title</Th>
                  <Th className="text-right">Words</Th>
                  <ActionsHeader />
                </tr>
              </thead>
              <tbody>
                {items.map((document) => (
                  <Tr key={document.document_id}>
                    <Td className="max-w-56 py-1 sm:max-w-96">
                      <span className="block truncate font-medium">{document.title}</span>
                      {document.url === null ? null : (
                        <span className="block truncate text-xs text-muted">{shortUrl(document.url)}</span>
                      )}
                    </Td>
                    <Td className="text-right">{formatNumber(document.words)}</Td>
                    <Td className="text-right">
                      {canChange ? (
                        <Button
                          variant="danger"
                          aria-label={`Remove ${document.title}`}
                          disabled={remove.isPending}
                          onClick={() => remove.mutate(document.document_id)}
                        >
                          Remove
                        </Button>
                      ) : null}
                    </Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
          </div>
        ) : null}
        {remove.isError ? (
          <p role="alert" className="text-bad">
            {errorMessage(remove.error)}
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}
