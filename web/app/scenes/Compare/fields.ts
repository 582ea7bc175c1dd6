// What differs between two readings of a url, one line a field.

export interface FieldChange {
  field: string
  before: string
  after: string
}

type Facts = Record<string, unknown> | null

/** As many digits of a hash as tell two pages apart. */
const HASH_DIGITS = 12

export function changesOf(fields: readonly string[], before: Facts, after: Facts): FieldChange[] {
  return fields.map((field) => ({ field, before: shown(field, before?.[field]), after: shown(field, after?.[field]) }))
}

function shown(field: string, value: unknown): string {
  const text = textOf(value)
  return field.endsWith('hash') ? text.slice(0, HASH_DIGITS) : text
}

/** Anything the server may tell, as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
