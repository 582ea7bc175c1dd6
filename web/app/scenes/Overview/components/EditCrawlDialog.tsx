import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { SettingField } from '../../../components/crawl/SettingField.tsx'
import { Dialog } from '../../../components/dialogs/Dialog.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { cacheProgress } from '../../../hooks/useCrawl.ts'
import { showToast } from '../../../page/toasts.ts'
import { ApiError, type Crawl, client, errorMessage, useApi } from '../../../server/api.ts'
import {
  changedValues,
  findFieldProblem,
  groupSettings,
  type SettingDrafts,
  toDraft,
} from '../../../text/crawl-settings.ts'
import { isUnfinished } from '../../../text/states.ts'

const FRESHNESS = 'Freshness'

/**
 * Edits the settings that may change while a crawl is live. Only changed values are sent. A completed crawl can start to
 * visit its URLs again.
 */
export function EditCrawlDialog({ crawl, field, onClose }: { crawl: Crawl; field: string; onClose: () => void }) {
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [drafts, setDrafts] = useState<SettingDrafts>({})
  // The initial values. A live crawl updates every second and must not reset the form.
  const [initial] = useState(crawl.settings)
  const isOver = !isUnfinished(crawl.status)
  const changeable = settings.data?.items.filter(
    (setting) => setting.is_changeable && (!isOver || setting.group === FRESHNESS),
  )
  const changed = changedValues(changeable ?? [], drafts, initial)
  const change = useMutation({
    mutationFn: () => client.changeCrawl({ params: { crawl_id: crawl.crawl_id }, body: { settings: changed } }),
    onSuccess: (crawl) => {
      cacheProgress(crawl)
      showToast(isOver ? 'Saved. The crawl goes on.' : 'Saved. Workers apply the change within a few seconds.')
      onClose()
    },
  })
  const problems = change.error instanceof ApiError ? change.error.fields : []
  // Shown beside their fields.
  const hasFieldProblems = problems.length > 0
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Dialog
      title={isOver ? 'Visit URLs again' : 'Edit crawl'}
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="edit-crawl"
            variant="primary"
            disabled={Object.keys(changed).length === 0 || change.isPending}
          >
            Save
          </Button>
        </>
      }
    >
      {changeable === undefined ? <SkeletonRows /> : null}
      <form id="edit-crawl" onSubmit={submit} className="flex flex-col gap-5">
        {groupSettings(changeable ?? []).map((settingsGroup) => (
          <fieldset key={settingsGroup.title}>
            <legend className="mb-2 text-xs font-semibold text-muted">{settingsGroup.title}</legend>
            <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
              {settingsGroup.settings.map((setting) => (
                <SettingField
                  key={setting.name}
                  setting={setting}
                  hasFocus={setting.name === field}
                  draft={drafts[setting.name] ?? toDraft(setting, initial[setting.name])}
                  problem={findFieldProblem(problems, setting.name)}
                  onChange={(settingDraft) => setDrafts({ ...drafts, [setting.name]: settingDraft })}
                />
              ))}
            </div>
          </fieldset>
        ))}
        {change.isError && !hasFieldProblems ? (
          <p role="alert" className="text-bad">
            {errorMessage(change.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
