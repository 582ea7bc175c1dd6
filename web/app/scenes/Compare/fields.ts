// What differs between two readings of a url, one line a field.

export interface FieldChange {
  field: string
  before: string
  after: string
}

type Facts = Record<string, unknown> | null

export function changesOf(fields: readonly string[], before: Facts, after: Facts): FieldChange[] {
  return fields.map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
}

/** Anything the server may tell, as text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
