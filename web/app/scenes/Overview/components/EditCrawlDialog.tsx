import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { SettingField } from '../../../components/crawl/SettingField.tsx'
import { FormDialog } from '../../../components/dialogs/FormDialog.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { cacheProgress } from '../../../hooks/useCrawl.ts'
import { showToast } from '../../../page/toasts.ts'
import { ApiError, type Crawl, client, useApi } from '../../../server/api.ts'
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
      showToast(isOver ? 'Saved. The crawl continues.' : 'Saved. Workers apply the change within a few seconds.')
      onClose()
    },
  })
  const problems = change.error instanceof ApiError ? change.error.fields : []
  return (
    <FormDialog
      title={isOver ? 'Visit URLs again' : 'Edit crawl'}
      submitLabel="Save"
      isComplete={Object.keys(changed).length > 0}
      save={change}
      hasFieldProblems={problems.length > 0}
      onClose={onClose}
    >
      {changeable === undefined ? <SkeletonRows /> : null}
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
    </FormDialog>
  )
}
