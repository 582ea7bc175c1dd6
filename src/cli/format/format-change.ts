// A field of a URL that differs between two crawls, as people read it.

import type { UrlState } from '../../lib/states.ts'
import { stateLabel } from '../live/state-styles.ts'
import { sanitizeText } from './units.ts'

const FIELD_LABELS: Readonly<Record<string, string>> = {
  http_status: 'HTTP status',
  content_type: 'content type',
  content_length: 'size',
  content_hash: 'content hash',
  redirect_to: 'redirects to',
}
const HASH_DIGITS = 12

export function formatChange(field: string, before: unknown, after: unknown): string {
  return `${FIELD_LABELS[field] ?? field} ${formatValue(field, before)} -> ${formatValue(field, after)}`
}

function formatValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  const text = sanitizeText(String(value))
  switch (field) {
    case 'state':
      return stateLabel(text as UrlState)
    case 'reason':
      return text.replaceAll('_', ' ')
    case 'content_hash':
      return text.slice(0, HASH_DIGITS)
    default:
      return text
  }
}
