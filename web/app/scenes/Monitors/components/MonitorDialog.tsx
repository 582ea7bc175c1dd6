import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input, TextArea } from '../../../components/controls/Input.tsx'
import { Dialog } from '../../../components/dialogs/Dialog.tsx'
import { ApiError, client, errorMessage } from '../../../server/api.ts'
import { findFieldProblem, splitLines } from '../../../text/crawl-settings.ts'
import { refreshMonitors } from '../refresh.ts'
import { fromRuleDraft, isRuleComplete, type Monitor, NEW_RULE, toRuleDraft } from '../rule-form.ts'
import { CrawlChoice } from './CrawlChoice.tsx'
import { RuleFields } from './RuleFields.tsx'

/** Creates a monitor, or edits one. */
export function MonitorDialog({
  monitor,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  monitor: Monitor | null
  onSaved?: (monitor: Monitor) => void
  onClose: () => void
}) {
  const [name, setName] = useState(monitor?.name ?? '')
  const [rule, setRule] = useState(monitor === null ? NEW_RULE : toRuleDraft(monitor.rule))
  const [crawlIds, setCrawlIds] = useState<readonly string[]>(monitor?.crawl_ids ?? [])
  const [include, setInclude] = useState(monitor?.include.join('\n') ?? '')
  const [exclude, setExclude] = useState(monitor?.exclude.join('\n') ?? '')
  const save = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        rule: fromRuleDraft(rule),
        crawl_ids: [...crawlIds],
        include: splitLines(include),
        exclude: splitLines(exclude),
      }
      if (monitor === null) return client.createMonitor({ body })
      return client.changeMonitor({ params: { monitor_id: monitor.monitor_id }, body })
    },
    onSuccess: async (saved) => {
      await refreshMonitors()
      onClose()
      onSaved?.(saved)
    },
  })
  const problems = save.error instanceof ApiError ? save.error.fields : []
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      title={monitor === null ? 'New monitor' : `Edit ${monitor.name}`}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="monitor"
            variant="primary"
            disabled={name.trim() === '' || !isRuleComplete(rule) || save.isPending}
          >
            {monitor === null ? 'Create monitor' : 'Save'}
          </Button>
        </>
      }
    >
      <form id="monitor" onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name" problem={findFieldProblem(problems, 'name')}>
          {(ids) => (
            <Input {...ids} placeholder="Recalls" value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <RuleFields draft={rule} onChange={setRule} problems={problems} isKindFixed={monitor?.rule.kind === 'copies'} />
        <CrawlChoice selected={crawlIds} onChange={setCrawlIds} />
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
          <Field
            label="Only URLs that match"
            help="Patterns. Empty: all URLs."
            problem={findFieldProblem(problems, 'include')}
          >
            {(ids) => (
              <TextArea
                {...ids}
                rows={2}
                placeholder="One per line"
                value={include}
                onChange={(event) => setInclude(event.target.value)}
              />
            )}
          </Field>
          <Field label="Except URLs that match" problem={findFieldProblem(problems, 'exclude')}>
            {(ids) => (
              <TextArea
                {...ids}
                rows={2}
                placeholder="One per line"
                value={exclude}
                onChange={(event) => setExclude(event.target.value)}
              />
            )}
          </Field>
        </div>
        {save.isError ? (
          <p role="alert" className="text-bad">
            {problems.length > 0 ? 'Fix the fields above.' : errorMessage(save.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
