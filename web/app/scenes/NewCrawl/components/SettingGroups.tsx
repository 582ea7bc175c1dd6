import { useEffect, useState } from 'react'
import type { SettingInfo } from '../../../api.ts'
import { Badge } from '../../../components/Badge.tsx'
import { SettingField } from '../../../components/SettingField.tsx'
import { plural } from '../../../format.ts'
import {
  type Draft,
  type Drafts,
  type FieldProblem,
  type Group,
  groupSettings,
  problemOf,
  toDraft,
  valueText,
} from '../../../settings.ts'

interface Props {
  settings: readonly SettingInfo[]
  drafts: Drafts
  changed: Record<string, unknown>
  problems: readonly FieldProblem[]
  onChange: (name: string, draft: Draft) => void
}

/** All settings, folded in groups. A group with a problem stands open. */
export function SettingGroups({ settings, ...rest }: Props) {
  return groupSettings(settings).map((group) => <SettingGroup key={group.title} group={group} {...rest} />)
}

function SettingGroup({ group, drafts, changed, problems, onChange }: Omit<Props, 'settings'> & { group: Group }) {
  const changes = group.settings.filter(({ name }) => name in changed).length
  const hasProblem = group.settings.some(({ name }) => problemOf(problems, name) !== undefined)
  const [isOpen, setIsOpen] = useState(false)
  // A problem opens the group; that it is mended must not close it under the hands of who mends it.
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
          {group.settings.map((setting) => summaryOf(setting, drafts)).join(' · ')}
        </span>
        {changes > 0 ? <Badge tone="accent">{plural(changes, 'change')}</Badge> : null}
        {hasProblem ? <Badge tone="bad">to mend</Badge> : null}
      </summary>
      <div className="grid gap-x-6 gap-y-4 border-t border-line p-3 sm:grid-cols-2">
        {group.settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            draft={drafts[setting.name] ?? toDraft(setting, setting.default)}
            problem={problemOf(problems, setting.name)}
            onChange={(draft) => onChange(setting.name, draft)}
          />
        ))}
      </div>
    </details>
  )
}

function summaryOf(setting: SettingInfo, drafts: Drafts): string {
  const draft = drafts[setting.name] ?? toDraft(setting, setting.default)
  const name = setting.name.replaceAll('_', ' ')
  return `${name} ${valueText(setting, draft)}`
}
