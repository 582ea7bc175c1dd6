import { useEffect, useState } from 'react'
import { SettingField } from '../../../components/crawl/SettingField.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import {
  findFieldProblem,
  formatSettingValue,
  type SettingDrafts,
  type SettingsGroup,
  toDraft,
} from '../../../text/crawl-settings.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import type { CrawlProblem } from '../useCrawlCheck.ts'
import type { CrawlForm } from '../useCrawlForm.ts'

/** A collapsible group of settings. A problem opens it, and so does a search that finds something in it. */
export function SettingGroup({
  group,
  form: { drafts, customized, setDraft },
  problems,
  isFiltered,
}: {
  group: SettingsGroup
  form: CrawlForm
  problems: readonly CrawlProblem[]
  isFiltered: boolean
}) {
  const changes = group.settings.filter(({ name }) => name in customized).length
  const errors = group.settings.filter(({ name }) => findFieldProblem(problems, name) !== undefined).length
  const hasProblem = errors > 0
  const [isOpen, setIsOpen] = useState(false)
  // A problem opens the group. Fixing it does not close the group, since the user is still typing in it.
  useEffect(() => {
    if (hasProblem) setIsOpen(true)
  }, [hasProblem])
  return (
    <details
      open={isOpen || isFiltered}
      onToggle={(event) => !isFiltered && setIsOpen(event.currentTarget.open)}
      className="group rounded-lg border border-line bg-surface"
    >
      <summary className="flex h-10 items-center gap-2 rounded-lg px-3 font-semibold hover:bg-hover">
        {group.title}
        <span className="min-w-0 flex-1 truncate text-xs font-normal text-muted group-open:invisible">
          {summarize(group, drafts)}
        </span>
        {changes > 0 ? <Badge tone="accent">{formatNumber(changes)} not default</Badge> : null}
        {hasProblem ? <Badge tone="bad">{plural(errors, 'error')}</Badge> : null}
      </summary>
      <div className="grid gap-x-6 gap-y-4 border-t border-line p-3 sm:grid-cols-2">
        {group.settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            draft={drafts[setting.name] ?? toDraft(setting, setting.default)}
            problem={findFieldProblem(problems, setting.name)}
            onChange={(draft) => setDraft(setting.name, draft)}
            onReset={() => setDraft(setting.name, toDraft(setting, setting.default))}
          />
        ))}
      </div>
    </details>
  )
}

/** The values of a group, changed ones first. */
function summarize({ settings }: SettingsGroup, drafts: SettingDrafts): string {
  return settings
    .map((setting) => ({ setting, draft: drafts[setting.name] ?? toDraft(setting, setting.default) }))
    .toSorted((a, b) => Number(isChanged(b)) - Number(isChanged(a)))
    .map(({ setting, draft }) => `${setting.label}: ${formatSettingValue(setting, draft)}`)
    .join(' · ')

  function isChanged({ setting, draft }: { setting: SettingsGroup['settings'][number]; draft: unknown }): boolean {
    return draft !== toDraft(setting, setting.default)
  }
}
