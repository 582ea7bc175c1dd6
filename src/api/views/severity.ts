// How bad it is that a url ended as it did.

import type { UrlState } from '../../ports/state.ts'

export type Severity = 'note' | 'warning' | 'error'

/** Left out on purpose is a note; what the site said is a warning; what went wrong is an error. */
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
