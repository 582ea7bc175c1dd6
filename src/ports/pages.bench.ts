// What the cases of page versions share: visits that bring pages.

import type { Lease, LeasedUrl, VisitFacts, VisitReport } from './frontier.ts'
import type { PageReport } from './pages.ts'
import { type Bench, only } from './store.contract.ts'

export const HASH = (n: number) => n.toString(16).padStart(64, '0')

export const PAGE: PageReport = {
  digest: HASH(1),
  wireBytes: 100,
  position: { segment: 's1', offset: 0, length: 50 },
  hasPayload: true,
  charset: 'utf-8',
  lang: 'en',
  description: null,
  keywords: null,
  words: 12,
  fingerprint: null,
  resembles: null,
  note: null,
}

/** A record of a payload that is known. */
export function again(offset: number): Partial<PageReport> {
  return { position: { segment: 's1', offset, length: 9 }, hasPayload: false }
}

export function kept(
  bench: Bench,
  lease: Lease,
  url: LeasedUrl,
  changes: Partial<PageReport> = {},
  learnt: Partial<VisitFacts> = {},
): VisitReport {
  const visit = bench.visited(lease, url)
  const page = { ...PAGE, ...changes }
  // Nothing is packed here: the hash of the content is that of the payload.
  const facts = visit.facts === null ? null : { ...visit.facts, contentHash: page.digest, ...learnt }
  return { ...visit, facts, page }
}

/** Visits each url in a crawl of its own, a second apart. */
export async function visitEach(
  bench: Bench,
  visits: [url: string, page: Partial<PageReport>, facts?: Partial<VisitFacts>][],
): Promise<void> {
  for (const [url, page, facts] of visits) {
    await bench.start([url])
    const lease = only((await bench.lease()).leases)
    await bench.commit([kept(bench, lease, only(lease.urls), page, facts)], { release: [lease.token] })
    bench.store.clock.advance(1000)
  }
}
