import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../../components/controls/Field.tsx'
import { Input } from '../../../../components/controls/Input.tsx'
import { FormDialog } from '../../../../components/dialogs/FormDialog.tsx'
import { showToast } from '../../../../page/toasts.ts'
import { ApiError, client, refetchQueries, toQueryKey } from '../../../../server/api.ts'
import { findFieldProblem } from '../../../../text/crawl-settings.ts'
import { fromDrafts, POLICY_FIELD_NAMES, POLICY_FIELDS, type Policy, toDrafts } from '../../policy-fields.ts'

/** Creates a policy, or edits the policy of a host. */
export function PolicyDialog({
  host: initialHost,
  policy,
  onClose,
}: {
  host: string
  /** Undefined for a new policy. */
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
      void refetchQueries({ queryKey: toQueryKey('listPolicies') })
      void refetchQueries({ queryKey: toQueryKey('explainPolicy') })
      onClose()
    },
  })
  const problems = save.error instanceof ApiError ? save.error.fields : []
  return (
    <FormDialog
      title={policy === undefined ? 'Add policy' : `Policy of ${policy.host}`}
      submitLabel="Save"
      isComplete={host.trim() !== '' && Object.keys(body).length > 0}
      save={save}
      hasFieldProblems={problems.length > 0}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
