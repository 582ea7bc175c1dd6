// A plain snapshot that tests vary.

import { emptyLedger, type Ledger } from '../../lib/states.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'

export function sampleSnapshot(changes: Partial<CrawlSnapshot> = {}): CrawlSnapshot {
  return {
    crawlId: '7f3c2b9a-1b2c-4d5e-8f90-a1b2c3d4e5f6',
    rootUrl: 'https://docs.example.com/',
    status: 'running',
    reason: null,
    ledger: sampleLedger({ queued: 2331, in_progress: 16, visited: 1120, redirected: 40, not_found: 41, failed: 3 }),
    sitemaps: 0,
    requisites: 0,
    bytes: 64_200_000,
    rejected: { out_of_scope: 812, nofollow: 30 },
    maxPages: null,
    sitemapOnly: false,
    elapsedMs: 12_000,
    pagesPerSecond: 412,
    inFlight: 16,
    hosts: [{ host: 'docs.example.com', requests: 1204, responseMs: 34 }],
    waits: [],
    held: null,
    draining: false,
    nextVisitInMs: null,
    runsElsewhere: false,
    ...changes,
  }
}

export function sampleLedger(changes: Partial<Ledger>): Ledger {
  return { ...emptyLedger(), ...changes }
}

/** Removes the colour codes that the program writes; any other escape sequence stays visible to the test. */
export function stripColor(text: string): string {
  const [first = '', ...rest] = text.split('\u001b[')
  return (
    first + rest.map((part) => (/^[0-9;]*m/.test(part) ? part.replace(/^[0-9;]*m/, '') : `\u001b[${part}`)).join('')
  )
}
