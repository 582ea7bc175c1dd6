import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../components/controls/Field.tsx'
import { Input, TextArea } from '../../../components/controls/Input.tsx'
import { FormDialog } from '../../../components/dialogs/FormDialog.tsx'
import { ApiError, client } from '../../../server/api.ts'
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
  /** Null for a new monitor. */
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
  return (
    <FormDialog
      title={monitor === null ? 'New monitor' : `Edit ${monitor.name}`}
      submitLabel={monitor === null ? 'Create monitor' : 'Save'}
      isComplete={name.trim() !== '' && isRuleComplete(rule)}
      save={save}
      hasFieldProblems={problems.length > 0}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
