// The severity of URL states.

import type { UrlState } from '../../lib/states.ts'

export type Severity = 'note' | 'warning' | 'error'

/** Failures are errors, HTTP errors of the site are warnings, everything else is a note. */
export function severityOf(state: UrlState): Severity {
  switch (state) {
    case 'failed':
      return 'error'
    case 'http_error':
    case 'forbidden':
    case 'not_found':
      return 'warning'
    default:
      return 'note'
  }
}
