import type { Url } from '../../server/api.ts'
import { reasonText } from '../../text/reasons.ts'

/** The outcome of a URL in a few words. */
export function describeOutcome(url: Pick<Url, 'state' | 'reason' | 'http_status'>): string {
  if (url.state === 'queued' || url.state === 'in_progress') return 'Pending'
  const status = url.http_status === null ? null : `HTTP ${url.http_status}`
  const reason = url.reason === null ? null : reasonText(url.reason)
  const parts = status === reason ? [status] : [status, reason]
  return parts.filter((part) => part !== null).join(', ') || 'No error'
}
