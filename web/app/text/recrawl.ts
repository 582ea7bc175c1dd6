import type { Crawl } from '../server/api.ts'

/** Whether the crawl visits its URLs more than once. */
export function revisitsUrls({ settings }: Pick<Crawl, 'settings'>): boolean {
  const { recrawl = 'off', schedule = null } = settings
  return recrawl !== 'off' || schedule !== null
}
