import { useHasScope } from '../../hooks/useHasScope.ts'
import type { SettingInfo } from '../../server/api.ts'
import { choiceLabel, type SettingDraft, toDraft, unitHint } from '../../text/crawl-settings.ts'
import { Field, type FieldIds } from '../controls/Field.tsx'
import { Input, Select, TextArea } from '../controls/Input.tsx'
import { Switch } from '../controls/Switch.tsx'
import { Badge } from '../display/Badge.tsx'

/** A form field for one setting; its kind decides the control. */
export function SettingField({
  setting,
  draft,
  onChange,
  onReset,
  problem,
  hasFocus = false,
}: {
  setting: SettingInfo
  draft: SettingDraft
  onChange: (settingDraft: SettingDraft) => void
  /** Marks a value that is not the default, and offers to reset it. */
  onReset?: () => void
  problem?: string | undefined
  hasFocus?: boolean
}) {
  const { label } = setting
  const isDenied = !useHasScope('admin') && setting.needs_admin
  const isMarked = onReset !== undefined && draft !== toDraft(setting, setting.default)
  const aside = (
    <span className="flex items-center gap-1.5">
      {setting.needs_admin ? (
        <Badge>{isDenied ? 'Requires admin scope' : 'Admin'}</Badge>
      ) : isMarked ? null : (
        unitHint(setting, draft)
      )}
      {isMarked ? (
        <>
          <Badge tone="accent">Changed</Badge>
          <button
            type="button"
            aria-label={`Reset ${label}`}
            disabled={isDenied}
            onClick={onReset}
            className="rounded text-accent hover:underline"
          >
            Reset
          </button>
        </>
      ) : null}
    </span>
  )
  return (
    <Field label={label} help={setting.help} problem={problem} aside={aside}>
      {(ids) => (
        <fieldset disabled={isDenied} className="contents">
          <Control setting={setting} draft={draft} onChange={onChange} ids={ids} hasFocus={hasFocus} />
        </fieldset>
      )}
    </Field>
  )
}

function Control({
  setting,
  draft,
  onChange,
  ids,
  hasFocus,
}: {
  setting: SettingInfo
  draft: SettingDraft
  onChange: (settingDraft: SettingDraft) => void
  ids: FieldIds
  hasFocus: boolean
}) {
  const { label } = setting
  if (typeof draft === 'boolean') {
    return (
      <Switch
        id={ids.id}
        isOn={draft}
        onChange={onChange}
        label={label}
        isLabelHidden
        aria-describedby={ids['aria-describedby']}
      />
    )
  }
  if (setting.kind === 'choice') {
    return (
      <Select {...ids} autoFocus={hasFocus} value={draft} onChange={(event) => onChange(event.target.value)}>
        {(setting.choices ?? []).map((choice) => (
          <option key={choice} value={choice}>
            {choiceLabel(setting, choice)}
          </option>
        ))}
      </Select>
    )
  }
  if (setting.kind === 'list') {
    return (
      <TextArea
        {...ids}
        rows={2}
        autoFocus={hasFocus}
        placeholder="One per line"
        value={draft}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <Input
      {...ids}
      autoFocus={hasFocus}
      inputMode={setting.kind === 'number' ? 'decimal' : 'text'}
      placeholder={String(toDraft(setting, setting.default)) || 'No limit'}
      value={draft}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
