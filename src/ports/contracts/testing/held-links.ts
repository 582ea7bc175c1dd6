// Visits for the contract of patterns: pages that hold links, and trials that find something or nothing.

import type { Lease, LeasedUrl } from '../../leases.ts'
import type { TrapFindings, VisitReport } from '../../visits.ts'
import { foundUrl, only, type StoreHarness } from './store-harness.ts'

/** A pattern with a query, for which few trials are allowed. */
export const PATTERN = 'a.test/x?*'
export const SKELETONS = [1, -2]
/** Trials that lead to each other before their path is endless. */
export const GENERATIONS = 12
/** Trials before the pattern is excluded. It has a query, so its second path may be as long as the first. */
export const ENDLESS_TRIALS = 2 * GENERATIONS
export const STALE: TrapFindings = { skeletons: SKELETONS, held: null, hasEndlessPaths: false, lineHashes: [7] }

export function holding(
  storeHarness: StoreHarness,
  lease: Lease,
  url: LeasedUrl,
  names: string[],
  pattern = PATTERN,
): VisitReport {
  const held = { pattern, found: names.map(foundUrl) }
  return { ...storeHarness.visitedReport(lease, url), traps: { ...STALE, held } }
}

export const nameOf = ({ url }: LeasedUrl) => url.replace('http://', '').replace('.test/', '/')
export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `a/${from + i}`)

/** Visits the seed, which holds these links. */
export async function startHolding(storeHarness: StoreHarness, names: string[], pattern = PATTERN): Promise<void> {
  await storeHarness.start(['a/1'])
  const lease = only((await storeHarness.lease()).leases)
  await storeHarness.commit([holding(storeHarness, lease, only(lease.urls), names, pattern)], {
    release: [lease.token],
  })
}

/** Lease requests in a row that grant nothing while patterns are judged. */
const MAX_IDLE_REQUESTS = 10

/** Visits everything granted until nothing is left, and returns the names in order. */
export async function visitAll(
  storeHarness: StoreHarness,
  reportOf: (lease: Lease, url: LeasedUrl) => VisitReport,
): Promise<string[]> {
  const names: string[] = []
  for (let idleRequests = 0; idleRequests < MAX_IDLE_REQUESTS; ) {
    const { leases } = await storeHarness.lease()
    idleRequests = leases.length === 0 ? idleRequests + 1 : 0
    for (const lease of leases) {
      names.push(...lease.urls.map(nameOf))
      await storeHarness.commit(
        lease.urls.map((url) => reportOf(lease, url)),
        { release: [lease.token] },
      )
    }
  }
  return names
}

export const fruitless = (storeHarness: StoreHarness) => (lease: Lease, url: LeasedUrl) => ({
  ...storeHarness.visitedReport(lease, url),
  traps: STALE,
})
/** Fruitless, and each page leads to one more. */
export const growing = (storeHarness: StoreHarness) => (lease: Lease, url: LeasedUrl) =>
  holding(storeHarness, lease, url, [`${nameOf(url)}/next`])
let nextLine = 100
export const fruitful = (storeHarness: StoreHarness) => (lease: Lease, url: LeasedUrl) => {
  return {
    ...storeHarness.visitedReport(lease, url),
    traps: { ...STALE, lineHashes: [nextLine++, nextLine++, nextLine++, nextLine++] },
  }
}
