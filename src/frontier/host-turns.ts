// How long a crawl has a host that others wait for.

import type { CrawlSettings } from '../ports/crawls.ts'

/** A lease is topped up for so long while another crawl wants its host. */
export const TURN_MS = 1000

/** Urls of a host with a gap that last for a turn. */
export function urlsPerTurn({ delayMs }: CrawlSettings, gapMs: number): number {
  return Math.ceil(TURN_MS / Math.max(1, gapMs, delayMs === 'auto' ? 0 : delayMs))
}
