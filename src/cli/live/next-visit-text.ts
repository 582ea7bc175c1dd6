import type { CrawlSnapshot } from './crawl-snapshot.ts'

/** Empty if no visit is planned. */
export function nextVisitText({ nextVisitInMs }: Pick<CrawlSnapshot, 'nextVisitInMs'>): string {
  if (nextVisitInMs === null) return ''
  return nextVisitInMs < 1000 ? ', next visit now' : `, next visit in ${roughTime(nextVisitInMs)}`
}

/** "5 h", rounded up. */
function roughTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.ceil(seconds / 3600)} h`
  return `${Math.ceil(seconds / 86_400)} days`
}
