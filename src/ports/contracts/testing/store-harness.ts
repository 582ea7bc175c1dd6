// Runs the cases that every store must pass. `makeStore` returns an empty store on a clock that the cases move;
// `reopen` simulates a crash: another process opens the same data.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { toCrawlSettings } from '../../../config/crawl-settings.ts'
import { defaultConfig } from '../../../config/load-config.ts'
import { ledgerTotal } from '../../../lib/states.ts'
import type { ManualClock } from '../../../lib/testing/manual-clock.ts'
import type { Crawl, CrawlSettings } from '../../crawls.ts'
import type { CommitBatch } from '../../frontier.ts'
import type { Lease, LeasedUrl, LeaseRequest } from '../../leases.ts'
import type { Store } from '../../store.ts'
import type { FoundUrl, VisitFacts, VisitReport } from '../../visits.ts'

export interface TestStore extends Store {
  clock: ManualClock
  leaseMs: number
  reopen(): Promise<TestStore>
}

export const TEST_SETTINGS: CrawlSettings = {
  ...toCrawlSettings(defaultConfig()),
  scope: 'any',
  concurrency: 10,
  delayMs: 0,
  timeoutMs: 1000,
  retryDelayMs: 100,
  maxBodyBytes: 1000,
  userAgent: 'test',
  // With robots.txt, a host that has not been contacted yet is exclusive to one worker.
  ignoreRobots: true,
  archive: 'none',
  keepDays: 1,
  cooldownMs: 0,
  hostPatienceMs: 60_000,
}

/**
 * A URL on a one-letter host: foundUrl('a/x') is http://a.test/x. The key is derived from the text, so it never
 * collides.
 */
export function foundUrl(text: string): FoundUrl {
  const [host = '', ...path] = text.split('/')
  let key = 0n
  for (const c of text) key = key * 131n + BigInt(c.charCodeAt(0))
  return {
    url: `http://${host}.test/${path.join('/')}`,
    host: `${host}.test`,
    key: BigInt.asIntN(64, key),
    kind: 'page',
    isRefresh: false,
    listing: null,
  }
}

function keysOf(urls: FoundUrl[]): Uint8Array {
  return new Uint8Array(new BigInt64Array(urls.map((url) => url.key)).buffer)
}

/** Requisites are no links, unless a redirect leads to one. */
function linksOf({ found, outcome }: VisitReport): FoundUrl[] {
  return outcome.state === 'redirected' ? found : found.filter(({ kind }) => kind !== 'requisite')
}

export class StoreHarness {
  store: TestStore
  crawl: Crawl | null = null
  /** Links of reports that do not list them as found. */
  readonly #links = new Map<VisitReport, FoundUrl[]>()

  constructor(store: TestStore) {
    this.store = store
  }

  get crawlId(): string {
    return this.crawl?.id ?? ''
  }

  async start(seeds: string[], settings: Partial<CrawlSettings> = {}): Promise<Crawl> {
    const seedUrls = seeds.map(foundUrl)
    this.crawl = await this.store.crawls.create({
      seeds: seedUrls,
      settings: { ...TEST_SETTINGS, ...settings },
      keySeed: 1,
    })
    return this.crawl
  }

  lease(changes: Partial<LeaseRequest> = {}) {
    const request = { threadId: 'w', maxUrls: 100, maxHosts: 100, slotsPerHost: 1, topUp: [], ...changes }
    return this.store.frontier.lease({ crawlId: this.crawlId, patternsVersion: 0, ...request })
  }

  commit(visits: VisitReport[], changes: Partial<CommitBatch> = {}) {
    const linkKeys = keysOf(visits.flatMap((visit) => this.#links.get(visit) ?? linksOf(visit)))
    const empty = {
      found: [],
      hosts: [],
      rejected: {},
      requests: {},
      subresources: [],
      samples: [],
      release: [],
      bytes: 0,
    }
    const batch = { crawlId: this.crawlId, threadId: 'w', visits, linkKeys, ...empty, ...changes }
    return this.store.frontier.commit(batch)
  }

  /** A report that the URL was visited and has these links. */
  visitedReport(lease: Lease, url: LeasedUrl, links: string[] = []): VisitReport {
    const urls = links.map(foundUrl)
    return {
      token: lease.token,
      urlId: url.id,
      outcome: { state: 'visited', reason: null },
      facts: this.visitFacts(200),
      page: null,
      found: urls,
      linkCount: urls.length,
      traps: null,
      freshness: null,
    }
  }

  /** The report without links that its worker has reported before. */
  withoutKnownLinks(visit: VisitReport, isKnown: (url: FoundUrl) => boolean): VisitReport {
    const report = { ...visit, found: visit.found.filter((url) => !isKnown(url)) }
    this.#links.set(report, visit.found)
    return report
  }

  endedReport(lease: Lease, url: LeasedUrl, visitOutcome: VisitReport['outcome'], links: string[] = []): VisitReport {
    return { ...this.visitedReport(lease, url, links), outcome: visitOutcome, facts: this.visitFacts(500) }
  }

  visitFacts(httpStatus: number): VisitFacts {
    return {
      httpStatus,
      contentType: 'text/html',
      contentLength: 10,
      contentHash: '010203',
      title: 'A title',
      redirectTo: null,
      canonical: null,
      noindex: false,
      nofollow: false,
      fetchMs: 5,
      processingMs: 3,
      ip: '192.0.2.1',
      cname: null,
      proxy: 'http://proxy.test:3128',
      visitedAt: this.store.clock.now(),
    }
  }

  /** Visits everything that is due, with links by path, until nothing is left. Returns the order of URLs. */
  async crawlAll(links: Record<string, string[]>, release = true): Promise<string[]> {
    const order: string[] = []
    for (;;) {
      const { leases } = await this.lease()
      if (leases.length === 0) return order
      for (const lease of leases) {
        const visits = lease.urls.map((url) => {
          const name = url.url.replace('http://', '').replace('.test/', '/')
          order.push(name)
          return this.visitedReport(lease, url, links[name] ?? [])
        })
        await this.commit(visits, { release: release ? [lease.token] : [] })
      }
    }
  }

  async rows() {
    return Array.fromAsync(this.store.urls.rows(this.crawlId))
  }

  async depths(): Promise<Record<string, number>> {
    const rows = await this.rows()
    return Object.fromEntries(rows.map((row) => [row.url.replace('http://', '').replace('.test/', '/'), row.depth]))
  }

  async progress() {
    const progress = await this.store.crawls.progress(this.crawlId)
    return { ...progress, total: ledgerTotal(progress.ledger) }
  }

  async assertSound(): Promise<void> {
    assert.deepEqual(await this.store.urls.verify(this.crawlId), [])
  }
}

export type DefineCase<B extends StoreHarness = StoreHarness> = (
  name: string,
  run: (harness: B) => Promise<void>,
) => void

/** Runs each case on a fresh store and verifies the store afterwards. */
export function describeStore(
  title: string,
  makeStore: () => Promise<TestStore>,
  cases: (add: DefineCase) => void,
): void {
  describeHarness(title, async () => new StoreHarness(await makeStore()), cases)
}

/** Like `describeStore`, for cases with their own harness. */
export function describeHarness<B extends StoreHarness>(
  title: string,
  makeHarness: () => Promise<B>,
  cases: (add: DefineCase<B>) => void,
): void {
  describe(title, () => {
    let harness: B
    beforeEach(async () => {
      harness = await makeHarness()
    })
    afterEach(async () => {
      if (harness.crawl !== null) await harness.assertSound()
      await harness.store.close()
    })
    cases((name, run) => it(name, () => run(harness)))
  })
}

/** The only item of the list. */
export function only<T>(items: T[]): T {
  assert.equal(items.length, 1, `expected one, got ${items.length}`)
  return items[0] as T
}

/** The only lease on this host. */
export function leaseOn(leases: Lease[], host: string): Lease {
  return only(leases.filter((lease) => lease.host === host))
}
