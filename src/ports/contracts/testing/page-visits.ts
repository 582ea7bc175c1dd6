// Visits with pages.

import type { Lease, LeasedUrl } from '../../leases.ts'
import type { PageReport } from '../../pages.ts'
import type { VisitFacts, VisitReport } from '../../visits.ts'
import { only, type StoreHarness } from './store-harness.ts'

export const hashOf = (n: number) => n.toString(16).padStart(64, '0')

export const PAGE_REPORT: PageReport = {
  digest: hashOf(1),
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
  data: null,
}

/** A record of a known payload. */
export function repeatedPayload(offset: number): Partial<PageReport> {
  return { position: { segment: 's1', offset, length: 9 }, hasPayload: false }
}

export function archivedVisit(
  storeHarness: StoreHarness,
  lease: Lease,
  url: LeasedUrl,
  changes: Partial<PageReport> = {},
  learnt: Partial<VisitFacts> = {},
): VisitReport {
  const visit = storeHarness.visitedReport(lease, url)
  const page = { ...PAGE_REPORT, ...changes }
  // Nothing is compressed here, so the content hash equals the payload's.
  const facts = visit.facts === null ? null : { ...visit.facts, contentHash: page.digest, ...learnt }
  return { ...visit, facts, page }
}

/** Visits each URL in its own crawl, a second apart. */
export async function visitEach(
  storeHarness: StoreHarness,
  visits: [url: string, page: Partial<PageReport>, facts?: Partial<VisitFacts>][],
): Promise<void> {
  for (const [url, page, facts] of visits) {
    await storeHarness.start([url])
    const lease = only((await storeHarness.lease()).leases)
    await storeHarness.commit([archivedVisit(storeHarness, lease, only(lease.urls), page, facts)], {
      release: [lease.token],
    })
    storeHarness.store.clock.advance(1000)
  }
}
