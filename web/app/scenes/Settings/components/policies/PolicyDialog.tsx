import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../../components/controls/Button.tsx'
import { Field } from '../../../../components/controls/Field.tsx'
import { Input } from '../../../../components/controls/Input.tsx'
import { Dialog } from '../../../../components/dialogs/Dialog.tsx'
import { showToast } from '../../../../page/toasts.ts'
import { ApiError, client, errorMessage, queryClient, toQueryKey } from '../../../../server/api.ts'
import { findFieldProblem } from '../../../../text/crawl-settings.ts'
import { fromDrafts, POLICY_FIELD_NAMES, POLICY_FIELDS, type Policy, toDrafts } from '../../policy-fields.ts'

/** Creates a policy, or edits the one of a host. */
export function PolicyDialog({
  host: initialHost,
  policy,
  onClose,
}: {
  host: string
  /** Undefined: a new one. */
  policy: Policy | undefined
  onClose: () => void
}) {
  const [host, setHost] = useState(initialHost)
  const [drafts, setDrafts] = useState(policy === undefined ? {} : toDrafts(policy))
  const body = fromDrafts(drafts)
  const save = useMutation({
    mutationFn: () => client.setPolicy({ params: { host: host.trim() }, body }),
    onSuccess: (saved) => {
      showToast(`Policy of ${saved.host} saved. It applies to running crawls at once.`)
      void queryClient.invalidateQueries({ queryKey: toQueryKey('listPolicies') })
      void queryClient.invalidateQueries({ queryKey: toQueryKey('explainPolicy') })
      onClose()
    },
  })
  const problems = save.error instanceof ApiError ? save.error.fields : []
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      title={policy === undefined ? 'Add policy' : `Policy of ${policy.host}`}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="policy"
            variant="primary"
            disabled={host.trim() === '' || Object.keys(body).length === 0 || save.isPending}
          >
            Save
          </Button>
        </>
      }
    >
      <form id="policy" onSubmit={submit} className="flex flex-col gap-4">
        {policy === undefined ? (
          <Field
            label="Host"
            help="A host name, or a pattern such as *.example.com. The most specific policy decides, field by field."
            problem={findFieldProblem(problems, 'host')}
          >
            {(ids) => (
              <Input
                {...ids}
                placeholder="*.example.com"
                value={host}
                onChange={(event) => setHost(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {POLICY_FIELD_NAMES.map((name) => {
            const { label, help } = POLICY_FIELDS[name]
            return (
              <Field key={name} label={label} help={help} problem={findFieldProblem(problems, name)}>
                {(ids) => (
                  <Input
                    {...ids}
                    placeholder="Not set"
                    value={drafts[name] ?? ''}
                    onChange={(event) => setDrafts({ ...drafts, [name]: event.target.value })}
                  />
                )}
              </Field>
            )
          })}
        </div>
        {save.isError && problems.length === 0 ? (
          <p role="alert" className="text-bad">
            {errorMessage(save.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
