// What differs between two readings of a url, one line a field.

export interface FieldChange {
  field: string
  before: string
  after: string
}

type UrlFields = Record<string, unknown> | null

/** As many digits of a hash as tell two pages apart. */
const HASH_DIGITS = 12

export function listFieldChanges(fields: readonly string[], before: UrlFields, after: UrlFields): FieldChange[] {
  return fields.map((field) => ({ field, before: shown(field, before?.[field]), after: shown(field, after?.[field]) }))
}

function shown(field: string, value: unknown): string {
  const text = formatValue(value)
  return field.endsWith('hash') ? text.slice(0, HASH_DIGITS) : text
}

/** Anything the server may tell, as text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
