import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../../../../components/controls/Button.tsx'
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog.tsx'
import { Card } from '../../../../components/display/Card.tsx'
import { ErrorState } from '../../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../components/display/Skeleton.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../../components/display/Table.tsx'
import { withValues } from '../../../../page/query.ts'
import { showToast } from '../../../../page/toasts.ts'
import { client, errorMessage, refetchQueries, toQueryKey, useApi } from '../../../../server/api.ts'
import { type Policy, policyText } from '../../policy-fields.ts'
import { DecidingPolicies } from './DecidingPolicies.tsx'
import { PolicyDialog } from './PolicyDialog.tsx'

/** The policies of hosts. The host to explain is part of the URL, so that other scenes can link to it. */
export function Policies() {
  const policies = useApi('listPolicies', {})
  const [query, setQuery] = useSearchParams()
  const [edited, setEdited] = useState<{ host: string; policy?: Policy } | null>(null)
  const [toDelete, setToDelete] = useState<Policy | null>(null)
  const remove = useMutation({
    mutationFn: (policy: Policy) => client.deletePolicy({ params: { host: policy.host } }),
    onSuccess: (_, policy) => {
      showToast(`Policy of ${policy.host} deleted.`)
      void refetchQueries({ queryKey: toQueryKey('listPolicies') })
      void refetchQueries({ queryKey: toQueryKey('explainPolicy') })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
    onSettled: () => setToDelete(null),
  })
  const items = policies.data?.items ?? []
  const host = query.get('host') ?? ''
  const isLinked = useRef(host !== '')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isLinked.current) box.current?.scrollIntoView()
  }, [])
  return (
    <div ref={box} className="scroll-mt-3">
      <Card
        title="Policies"
        isFlush
        aside={
          <Button icon="plus" onClick={() => setEdited({ host })}>
            Add policy
          </Button>
        }
      >
        <p className="p-3 text-muted">
          Pace, limits and priority of a host, or of all hosts that match a pattern, in every crawl. The crawl delay in
          robots.txt always applies.
        </p>
        {policies.isPending ? <SkeletonRows rows={2} /> : null}
        {policies.isError ? <ErrorState error={policies.error} onRetry={() => void policies.refetch()} /> : null}
        {policies.data !== undefined && items.length === 0 ? (
          <p className="px-3 pb-3 text-muted">No policies yet.</p>
        ) : null}
        {items.length > 0 ? (
          <Table label="Policies">
            <thead>
              <tr>
                <Th>Host</Th>
                <Th className="hidden sm:table-cell">Policy</Th>
                <ActionsHeader />
              </tr>
            </thead>
            <tbody>
              {items.map((policy) => (
                <Tr key={policy.host}>
                  <Td className="py-1.5 sm:max-w-64">
                    <span className="font-medium break-all">{policy.host}</span>
                    <span className="block text-muted sm:hidden">{policyText(policy)}</span>
                  </Td>
                  <Td className="hidden py-1.5 sm:table-cell">{policyText(policy)}</Td>
                  <Td>
                    <div className="flex justify-end gap-2">
                      <Button
                        variant="quiet"
                        aria-label={`Edit the policy of ${policy.host}`}
                        onClick={() => setEdited({ host: policy.host, policy })}
                      >
                        Edit
                      </Button>
                      <Button
                        variant="danger"
                        aria-label={`Delete the policy of ${policy.host}`}
                        onClick={() => setToDelete(policy)}
                      >
                        Delete
                      </Button>
                    </div>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        ) : null}
        <DecidingPolicies
          host={host}
          onHost={(after) => setQuery(withValues(query, { host: after }), { replace: true })}
        />
        {edited === null ? null : (
          <PolicyDialog host={edited.host} policy={edited.policy} onClose={() => setEdited(null)} />
        )}
        {toDelete === null ? null : (
          <ConfirmDialog
            title="Delete this policy?"
            text={`The settings of each crawl decide for ${toDelete.host} again, unless another policy applies.`}
            action="Delete policy"
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate(toDelete)}
            onClose={() => setToDelete(null)}
          />
        )}
      </Card>
    </div>
  )
}
