// Steps that the contracts of revisits share.

import type { Lease } from '../../leases.ts'
import type { VisitReport } from '../../visits.ts'
import type { StoreHarness } from './store-harness.ts'

/** Requeues everything that is due, and returns how many URLs that were. */
export async function requeueAll({ store }: StoreHarness): Promise<number> {
  for (let total = 0; ; ) {
    const { requeued, hasMore } = await store.revisits.requeueDue(2)
    total += requeued
    if (!hasMore) return total
  }
}

/** Waits, requeues what is due then, and returns the number of requeued URLs. */
export function requeueAfter(harness: StoreHarness, ms: number): Promise<number> {
  harness.store.clock.advance(ms)
  return requeueAll(harness)
}

/** Ends every URL that can be leased. */
export async function endAll(harness: StoreHarness, report: (lease: Lease, url: Lease['urls'][number]) => VisitReport) {
  const { leases } = await harness.lease()
  for (const lease of leases) {
    const visits = lease.urls.map((url) => report(lease, url))
    await harness.commit(visits, { release: [lease.token] })
  }
}

export function endAs(harness: StoreHarness, state: 'not_found' | 'failed' | 'http_error') {
  return endAll(harness, (lease, url) => harness.endedReport(lease, url, { state, reason: null }))
}
