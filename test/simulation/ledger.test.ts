// Random histories on the store: leases, reports of every kind, late and duplicate ones, expiries, crashes. After
// every step the ledger must balance and nothing may be in flight twice; in the end every URL is final and every depth
// is that of the shortest path. A failure prints the fast-check seed that replays it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ledgerTotal } from '../../src/lib/states.ts'
import { foundUrl, StoreHarness, type TestStore } from '../../src/ports/contracts/testing/store-harness.ts'
import type { Lease, LeasedUrl } from '../../src/ports/leases.ts'
import type { FoundUrl, VisitReport } from '../../src/ports/visits.ts'
import { makeMovingStore } from '../../src/setup/testing/moving-store.ts'
import { makeTestStore as makePostgresStore } from '../../src/store/testing/postgres-test-store.ts'
import { makeTestStore as makeSqliteStore } from '../../src/store/testing/sqlite-test-store.ts'
import { isLongRun } from '../testing/long-run.ts'

const HOSTS = ['a', 'b', 'c', 'd']
const PAGES = 6
const LEASE_MS = 1000
const SEEDS = ['a/1', 'b/1']

type Kind = 'page' | 'redirect' | 'missing'

interface Web {
  links: Map<string, string[]>
  /** Requisites of each page. Some of them are linked as well. */
  requisites: Map<string, string[]>
  kinds: Map<string, Kind>
}

type Step =
  | { do: 'lease'; maxUrls: number }
  | { do: 'report'; pick: number; how: 'end' | 'retry' | 'twice' }
  | { do: 'release'; pick: number }
  | { do: 'wait'; ms: number }
  | { do: 'crash' }

const NAMES = HOSTS.flatMap((host) => Array.from({ length: PAGES }, (_, i) => `${host}/${i + 1}`))
const kind = fc.constantFrom<Kind>('page', 'page', 'page', 'page', 'redirect', 'missing')
const names = (lengths: fc.ArrayConstraints) => fc.array(fc.constantFrom(...NAMES), lengths)
const node = fc.record({ links: names({ minLength: 1, maxLength: 2 }), requisites: names({ maxLength: 2 }), kind })

/** Links of every page. The seeds must be pages, or most crawls would end at once. */
const web: fc.Arbitrary<Web> = fc.array(node, { minLength: NAMES.length, maxLength: NAMES.length }).map((nodes) => ({
  links: new Map(NAMES.map((page, i) => [page, [...new Set(nodes[i]?.links)]])),
  requisites: new Map(NAMES.map((page, i) => [page, [...new Set(nodes[i]?.requisites)]])),
  kinds: new Map(NAMES.map((page, i) => [page, SEEDS.includes(page) ? 'page' : (nodes[i]?.kind ?? 'page')])),
}))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('lease' as const), maxUrls: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      pick: fc.nat(),
      how: fc.constantFrom('end' as const, 'end' as const, 'end' as const, 'retry' as const, 'twice' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1500 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
)

class History {
  readonly #bench: StoreHarness
  readonly #web: Web
  /** Every URL the worker believes it holds, also under expired leases. */
  #held: { lease: Lease; url: LeasedUrl }[] = []
  /** URLs that must not be leased again: URL id to the lease that holds it. */
  readonly #live = new Map<number, { token: number; until: number }>()
  /** URLs that the worker has reported, with their depth; it does not report them again. */
  readonly #reported = new Map<string, number>()
  readonly #reportedRequisites = new Set<string>()

  readonly #maxDepth: number | null

  constructor(storeHarness: StoreHarness, site: Web, limit: number | null) {
    this.#bench = storeHarness
    this.#web = site
    this.#maxDepth = limit
  }

  async take(next: Step): Promise<void> {
    const { store } = this.#bench
    switch (next.do) {
      case 'lease':
        return this.#lease(next.maxUrls)
      case 'report':
        return this.#report(next.pick, next.how)
      case 'release': {
        const held = this.#held[next.pick % (this.#held.length || 1)]
        if (held === undefined) return
        await this.#bench.commit([], { release: [held.lease.token] })
        for (const [id, { token }] of this.#live) if (token === held.lease.token) this.#live.delete(id)
        return
      }
      case 'wait':
        store.clock.advance(next.ms)
        return
      case 'crash':
        this.#bench.store = await store.reopen()
        this.#startOver()
    }
  }

  #startOver(): void {
    this.#held = []
    this.#live.clear()
    this.#reported.clear()
    this.#reportedRequisites.clear()
  }

  async #lease(maxUrls: number): Promise<void> {
    const { leases } = await this.#bench.lease({ maxUrls, slotsPerHost: 1 })
    const { clock } = this.#bench.store
    for (const lease of leases) {
      for (const url of lease.urls) {
        assert.ok((this.#live.get(url.id)?.until ?? 0) <= clock.now(), `${url.url} is in flight twice`)
        this.#live.set(url.id, { token: lease.token, until: clock.now() + LEASE_MS })
        this.#held.push({ lease, url })
      }
    }
  }

  async #report(pick: number, how: 'end' | 'retry' | 'twice'): Promise<void> {
    if (this.#held.length === 0) return
    const [held] = this.#held.splice(pick % this.#held.length, 1)
    if (held === undefined) return
    const report = this.#reportOf(held.lease, held.url, how === 'retry')
    const first = await this.#bench.commit([report])
    this.#live.delete(held.url.id)
    if (how === 'twice') assert.equal((await this.#bench.commit([report])).late, 1)
    if (first.late > 0 || how === 'twice') this.#startOver()
  }

  #reportOf(lease: Lease, url: LeasedUrl, isRetry: boolean): VisitReport {
    const storeHarness = this.#bench
    const page = nameOf(url.url)
    const links = this.#web.links.get(page) ?? []
    if (isRetry) {
      const dueAt = storeHarness.store.clock.now() + 500
      return storeHarness.endedReport(lease, url, { state: 'retry', reason: 'http_500', dueAt })
    }
    const isRequisite = url.kind === 'requisite'
    switch (this.#web.kinds.get(page) ?? 'page') {
      case 'page': {
        if (isRequisite) return storeHarness.visitedReport(lease, url)
        const report = this.#leaveOut(storeHarness.visitedReport(lease, url, links), url.depth + 1)
        return this.#addRequisites(report, page)
      }
      case 'redirect': {
        const report = storeHarness.endedReport(lease, url, { state: 'redirected', reason: null }, links.slice(0, 1))
        return isRequisite ? { ...report, found: report.found.map(asRequisite) } : this.#leaveOut(report, url.depth)
      }
      case 'missing':
        return storeHarness.endedReport(lease, url, { state: 'not_found', reason: null })
    }
  }

  /**
   * Leaves out links as crawl threads do: a link is reported once, and again at a smaller depth; beyond the depth
   * limit always.
   */
  #leaveOut(report: VisitReport, depth: number): VisitReport {
    if (this.#maxDepth !== null && depth > this.#maxDepth) return report
    return this.#bench.withoutKnownLinks(report, ({ url }) => {
      const known = this.#reported.get(url)
      if (known !== undefined && known <= depth) return true
      this.#reported.set(url, depth)
      return false
    })
  }

  /** Reports each requisite once, whether it was reported as a page or not. */
  #addRequisites(report: VisitReport, page: string): VisitReport {
    const fresh = (this.#web.requisites.get(page) ?? []).filter((name) => !this.#reportedRequisites.has(name))
    for (const name of fresh) this.#reportedRequisites.add(name)
    report.found.push(...fresh.map(foundUrl).map(asRequisite))
    return report
  }

  /** Ends every URL. */
  async finish(): Promise<void> {
    for (let round = 0; round < 1000; round++) {
      const { leases, status } = await this.#bench.lease({ slotsPerHost: 2 })
      if (status !== 'running') return
      for (const lease of leases) {
        const visits = lease.urls.map((url) => this.#reportOf(lease, url, false))
        await this.#bench.commit(visits, { release: [lease.token] })
      }
      this.#bench.store.clock.advance(LEASE_MS + 1)
    }
    assert.fail('the crawl did not end')
  }
}

function asRequisite(found: FoundUrl): FoundUrl {
  return { ...found, kind: 'requisite' }
}

function nameOf(url: string): string {
  return url.replace('http://', '').replace('.test/', '/')
}

/** Shortest paths by breadth-first search; a redirect costs nothing. */
function shortestDepths(site: Web, seeds: string[], maxDepth: number | null): Record<string, number> {
  const depths: Record<string, number> = {}
  let level = [...seeds]
  for (let depth = 0; level.length > 0 && depth <= (maxDepth ?? Number.POSITIVE_INFINITY); depth++) {
    const next: string[] = []
    for (const page of level) {
      if (depths[page] !== undefined) continue
      depths[page] = depth
      const links = site.links.get(page) ?? []
      const kind = site.kinds.get(page) ?? 'page'
      if (kind === 'page') next.push(...links)
      if (kind === 'redirect') level.push(...links.slice(0, 1))
    }
    level = next
  }
  return depths
}

/** Requisites have no depth, unless they are pages as well. */
function expectedDepths(site: Web, seeds: string[], limit: number | null): Record<string, number> {
  const pages = shortestDepths(site, seeds, limit)
  const depths = { ...pages }
  const open = Object.keys(pages).flatMap((page) =>
    site.kinds.get(page) === 'page' ? (site.requisites.get(page) ?? []) : [],
  )
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (depths[name] !== undefined) continue
    depths[name] = 0
    if (site.kinds.get(name) === 'redirect') open.push(...(site.links.get(name) ?? []).slice(0, 1))
  }
  return depths
}

const maxDepth = fc.option(fc.integer({ min: 0, max: 4 }))
const options = { leaseMs: LEASE_MS, random: () => 0.9 }
const HISTORIES = Number(process.env['TEST_HISTORIES'] ?? (isLongRun ? 100 : 20))

const STORES: [name: string, make: () => Promise<TestStore>, histories: number][] = [
  ['sqlite', async () => makeSqliteStore(options), HISTORIES],
  ['postgres', () => makePostgresStore(options), Math.ceil(HISTORIES / 20)],
  ['a store that is moved at every crash', () => makeMovingStore(options), Math.ceil(HISTORIES / 20)],
]

describe('random histories', () => {
  for (const [name, makeStore, numRuns] of STORES) {
    it(`keep the ledger balanced at every step and end with the shortest paths on ${name}`, async () => {
      const property = fc.asyncProperty(
        web,
        fc.array(step, { minLength: 20, maxLength: 120 }),
        maxDepth,
        async (site, steps, limit) => {
          const storeHarness = new StoreHarness(await makeStore())
          try {
            await storeHarness.start(SEEDS, { perHost: 2, maxDepth: limit, requisites: true })
            const history = new History(storeHarness, site, limit)
            for (const next of steps) {
              await history.take(next)
              await storeHarness.assertSound()
              const { ledger, total } = await storeHarness.progress()
              assert.equal(ledgerTotal(ledger), total)
              assert.ok(ledger.queued >= 0 && ledger.in_progress >= 0)
            }
            await history.finish()
            await storeHarness.assertSound()
            const { ledger, crawl } = await storeHarness.progress()
            assert.deepEqual([crawl.status, ledger.queued, ledger.in_progress], ['completed', 0, 0])
            assert.deepEqual(await storeHarness.depths(), expectedDepths(site, SEEDS, limit))
          } finally {
            await storeHarness.store.close()
          }
        },
      )
      const seed = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)
      await fc.assert(property, { numRuns, seed })
    })
  }
})
