import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, type Crawl, client, messageOf, useApi } from '../../../api.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { SettingField } from '../../../components/SettingField.tsx'
import { SkeletonRows } from '../../../components/Skeleton.tsx'
import { putProgress } from '../../../hooks/useCrawl.ts'
import { changedValues, type Drafts, groupSettings, problemOf, toDraft } from '../../../settings.ts'
import { showToast } from '../../../toasts.ts'

/** Limits, exclusions and pace of a crawl that may be running. Only what was changed is sent. */
export function EditDialog({ crawl, field, onClose }: { crawl: Crawl; field: string; onClose: () => void }) {
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const [drafts, setDrafts] = useState<Drafts>({})
  // Where the fields began; a crawl that is watched is told anew every second.
  const [before] = useState(crawl.settings)
  const changeable = settings.data?.items.filter((setting) => setting.is_changeable)
  const changed = changedValues(changeable ?? [], drafts, before)
  const change = useMutation({
    mutationFn: () => client.changeCrawl({ params: { crawl_id: crawl.crawl_id }, body: { settings: changed } }),
    onSuccess: (crawl) => {
      putProgress(crawl)
      showToast('Changed. Workers hear of it within a few seconds.')
      onClose()
    },
  })
  const problems = change.error instanceof ApiError ? change.error.fields : []
  // Problems of fields stand beside them.
  const isAboutFields = problems.length > 0
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Dialog
      title="Change this crawl"
      isWide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button
            type="submit"
            form="edit-crawl"
            look="primary"
            disabled={Object.keys(changed).length === 0 || change.isPending}
          >
            Change
          </Button>
        </>
      }
    >
      {changeable === undefined ? <SkeletonRows /> : null}
      <form id="edit-crawl" onSubmit={submit} className="flex flex-col gap-5">
        {groupSettings(changeable ?? []).map((group) => (
          <fieldset key={group.title}>
            <legend className="mb-2 text-xs font-semibold text-muted">{group.title}</legend>
            <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
              {group.settings.map((setting) => (
                <SettingField
                  key={setting.name}
                  setting={setting}
                  hasFocus={setting.name === field}
                  draft={drafts[setting.name] ?? toDraft(setting, before[setting.name])}
                  problem={problemOf(problems, setting.name)}
                  onChange={(draft) => setDrafts({ ...drafts, [setting.name]: draft })}
                />
              ))}
            </div>
          </fieldset>
        ))}
        {change.isError && !isAboutFields ? (
          <p role="alert" className="text-bad">
            {messageOf(change.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}
