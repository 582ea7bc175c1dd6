import { useEffect, useState } from 'react'
import { SettingField } from '../../../components/crawl/SettingField.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import type { SettingInfo } from '../../../server/api.ts'
import {
  type FieldProblem,
  findFieldProblem,
  formatSettingValue,
  groupSettings,
  type SettingDraft,
  type SettingDrafts,
  type SettingsGroup,
  toDraft,
} from '../../../text/crawl-settings.ts'
import { plural } from '../../../text/format.ts'

interface Props {
  settings: readonly SettingInfo[]
  drafts: SettingDrafts
  changed: Record<string, unknown>
  problems: readonly FieldProblem[]
  onChange: (name: string, settingDraft: SettingDraft) => void
}

/** All settings in collapsible groups. A group with a problem opens. */
export function SettingGroups({ settings, ...rest }: Props) {
  return groupSettings(settings).map((settingsGroup) => (
    <SettingGroup key={settingsGroup.title} group={settingsGroup} {...rest} />
  ))
}

function SettingGroup({
  group,
  drafts,
  changed,
  problems,
  onChange,
}: Omit<Props, 'settings'> & { group: SettingsGroup }) {
  const changes = group.settings.filter(({ name }) => name in changed).length
  const errors = group.settings.filter(({ name }) => findFieldProblem(problems, name) !== undefined).length
  const hasProblem = errors > 0
  const [isOpen, setIsOpen] = useState(false)
  // A problem opens the group. Fixing it does not close the group, since the user is still typing in it.
  useEffect(() => {
    if (hasProblem) setIsOpen(true)
  }, [hasProblem])
  return (
    <details
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="group rounded-lg border border-line bg-surface"
    >
      <summary className="flex h-10 items-center gap-2 rounded-lg px-3 font-semibold hover:bg-hover">
        {group.title}
        <span className="min-w-0 flex-1 truncate text-xs font-normal text-muted group-open:invisible">
          {group.settings.map((setting) => summarize(setting, drafts)).join(' · ')}
        </span>
        {changes > 0 ? <Badge tone="accent">{plural(changes, 'change')}</Badge> : null}
        {hasProblem ? <Badge tone="bad">{plural(errors, 'error')}</Badge> : null}
      </summary>
      <div className="grid gap-x-6 gap-y-4 border-t border-line p-3 sm:grid-cols-2">
        {group.settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            draft={drafts[setting.name] ?? toDraft(setting, setting.default)}
            problem={findFieldProblem(problems, setting.name)}
            onChange={(settingDraft) => onChange(setting.name, settingDraft)}
          />
        ))}
      </div>
    </details>
  )
}

function summarize(setting: SettingInfo, drafts: SettingDrafts): string {
  const draft = drafts[setting.name] ?? toDraft(setting, setting.default)
  return `${setting.label}: ${formatSettingValue(setting, draft)}`
}
