import { useId } from 'react'
import type { SettingDrafts } from '../../../text/crawl-settings.ts'
import { findPreset, PRESETS } from '../presets.ts'

/** How much of the site to visit. Nothing is selected once the settings differ from every preset. */
export function PresetChoice({
  drafts,
  onChoose,
}: {
  drafts: SettingDrafts
  onChoose: (drafts: SettingDrafts) => void
}) {
  const name = useId()
  const chosen = findPreset(drafts)
  return (
    <fieldset>
      <legend className="mb-1 font-medium">
        What to visit{' '}
        {chosen === null && Object.keys(drafts).length > 0 ? (
          <span className="text-xs font-normal text-muted">Custom, see More settings</span>
        ) : null}
      </legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {PRESETS.map((preset) => (
          <label
            key={preset.id}
            className="flex cursor-pointer flex-col rounded-md border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={preset === chosen}
              onChange={() => onChoose(preset.drafts)}
            />
            <span className="font-medium">{preset.label}</span>
            <span className="text-xs text-muted">{preset.help}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
