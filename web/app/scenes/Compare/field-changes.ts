// The differences between two visits of a URL, field by field.

import type { FieldChange } from '../../components/diff/FieldChanges.tsx'
import { reasonText } from '../../text/reasons.ts'
import { isUrlState, URL_STATE_STYLES } from '../../text/states.ts'
import { spellOut } from '../../text/words.ts'

type UrlFields = Record<string, unknown> | null

/** Enough digits of a hash to tell two pages apart. */
const HASH_DIGITS = 12

export function listFieldChanges(fields: readonly string[], before: UrlFields, after: UrlFields): FieldChange[] {
  return fields.map((field) => ({
    field,
    label: spellOut(field),
    before: formatField(field, before?.[field]),
    after: formatField(field, after?.[field]),
  }))
}

export function formatField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (field === 'state' && isUrlState(value)) return URL_STATE_STYLES[value].label
  if (field === 'reason') return reasonText(value)
  return field.endsWith('hash') ? value.slice(0, HASH_DIGITS) : value
}
