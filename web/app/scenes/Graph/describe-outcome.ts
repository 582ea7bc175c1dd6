import type { Url } from '../../server/api.ts'

/** How a url ended, in a few words. */
export function describeOutcome(url: Pick<Url, 'state' | 'reason' | 'http_status'>): string {
  if (url.state === 'queued' || url.state === 'in_progress') return 'not yet'
  const parts = [url.http_status === null ? null : `status ${url.http_status}`, url.reason]
  const told = parts.filter((part) => part !== null)
  return told.length === 0 ? 'no error' : told.join(', ')
}
