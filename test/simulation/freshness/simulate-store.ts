// Runs revisits on a real store in virtual time: pages change, hosts announce changes in sitemaps, the store decides what is
// leased and when. Visits to sitemaps count towards the budget like all others.

import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { TEST_SETTINGS, type TestStore } from '../../../src/ports/contracts/testing/store-harness.ts'
import type { Lease, LeasedUrl } from '../../../src/ports/leases.ts'
import type { FoundUrl, UrlKind, VisitReport } from '../../../src/ports/visits.ts'
import { threadCpuMs } from '../../testing/cpu-time.ts'
import type { Comparison } from './compare-policies.ts'
import { dueQueue } from './due-queue.ts'
import { type Freshness, freshnessMeter } from './freshness-meter.ts'
import { DEEPEST, type PlacedPage } from './known-importance.ts'
import { firstSignal, givesSignals, type SignalWorld } from './signals.ts'

export interface StoreRun extends Freshness {
  /** CPU time of all calls to the store, per visit. */
  cpuMsPerVisit: number
}

export interface StoreWorld {
  store: TestStore
  pages: PlacedPage[]
  signals: SignalWorld
  comparison: Comparison
}

const TICK_MS = 600_000
const BATCH = 1000
const THREAD = 'w-0'
const TRUNK = 'trunk'
/** One folder per URL pattern of a host. */
const FOLDERS = ['news', 'shop', 'docs']
/** Long ago: the sitemap says when pages change, and that they have not. */
const LONG_AGO = 1

export async function simulateStore(world: StoreWorld): Promise<StoreRun> {
  const simulation = new StoreSimulation(world)
  await simulation.start()
  const { comparison, store } = world
  const startedAt = store.clock.now()
  const endMs = (comparison.learnDays + comparison.measureDays) * 86_400_000
  while (store.clock.now() - startedAt < endMs) await simulation.step()
  return simulation.result()
}

class StoreSimulation {
  readonly #world: StoreWorld
  readonly #random
  readonly #meter
  readonly #startedAt: number
  readonly #visitedAt: Float64Array
  readonly #staleAt: Float64Array
  readonly #versions: Uint32Array
  readonly #signals
  /** Announced changes that the sitemap of the host has, and that were not read yet. */
  readonly #announced = new Map<number, Set<number>>()
  readonly #lastHash = new Map<string, string>()
  /** Levels of the trunk whose links were reported. */
  readonly #expanded = new Set<number>()
  #crawlId = ''
  #visits = 0
  #cpuMs = 0

  constructor(world: StoreWorld) {
    const { pages, comparison, store } = world
    this.#world = world
    this.#random = seededRandom(comparison.seed)
    this.#startedAt = store.clock.now()
    const start = comparison.learnDays * 86_400_000
    this.#meter = freshnessMeter({ start, end: start + comparison.measureDays * 86_400_000, pages: pages.length })
    this.#visitedAt = new Float64Array(pages.length)
    this.#staleAt = new Float64Array(pages.length)
    this.#versions = new Uint32Array(pages.length)
    this.#signals = dueQueue(pages.length)
  }

  async start(): Promise<void> {
    const { store, comparison } = this.#world
    const { minMs: recrawlMinMs, maxMs: recrawlMaxMs } = comparison.bounds
    const recrawl = { recrawl: 'adaptive' as const, recrawlMinMs, recrawlMaxMs, recrawlBudget: comparison.perDay }
    const settings = { ...TEST_SETTINGS, ...recrawl, perHost: 10 }
    const crawl = await store.crawls.create({ seeds: [this.#trunk(0)], settings, keySeed: 1 })
    this.#crawlId = crawl.id
    await this.#visitQueued()
  }

  async step(): Promise<void> {
    const { store } = this.#world
    store.clock.advance(TICK_MS)
    const now = this.#now()
    for (let page = this.#signals.takeDue(now); page !== undefined; page = this.#signals.takeDue(now)) {
      const host = this.#world.pages[page]?.host ?? 0
      const announced = this.#announced.get(host) ?? new Set()
      this.#announced.set(host, announced.add(page))
    }
    const cpuMs = threadCpuMs()
    let requeued = 0
    for (let hasMore = true; hasMore; ) {
      const done = await store.revisits.requeueDue(BATCH)
      hasMore = done.hasMore
      requeued += done.requeued
    }
    this.#cpuMs += threadCpuMs() - cpuMs
    if (requeued > 0) await this.#visitQueued()
  }

  result(): StoreRun {
    const end = this.#now()
    for (let page = 0; page < this.#world.pages.length; page++) this.#endInterval(page, end)
    return { ...this.#meter.result(), cpuMsPerVisit: this.#cpuMs / this.#visits }
  }

  #now(): number {
    return this.#world.store.clock.now() - this.#startedAt
  }

  async #visitQueued(): Promise<void> {
    const { store } = this.#world
    for (;;) {
      const cpuMs = threadCpuMs()
      const limits = { maxUrls: BATCH, maxHosts: BATCH, slotsPerHost: 10, topUp: [], patternsVersion: 0 }
      const { leases } = await store.frontier.lease({ crawlId: this.#crawlId, threadId: THREAD, ...limits })
      this.#cpuMs += threadCpuMs() - cpuMs
      if (leases.length === 0) return
      const visits = leases.flatMap((lease) => lease.urls.map((url) => this.#visit(lease, url)))
      this.#visits += visits.length
      await this.#commit(
        visits,
        leases.map(({ token }) => token),
      )
    }
  }

  async #commit(visits: VisitReport[], release: number[]): Promise<void> {
    const keys = visits.flatMap(({ found }) => found.map(({ key }) => key))
    const linkKeys = new Uint8Array(new BigInt64Array(keys).buffer)
    const empty = { found: [], hosts: [], rejected: {}, requests: {}, subresources: [], samples: [], bytes: 0 }
    const cpuMs = threadCpuMs()
    const batch = { crawlId: this.#crawlId, threadId: THREAD, visits, linkKeys, release, ...empty }
    const { late } = await this.#world.store.frontier.commit(batch)
    this.#cpuMs += threadCpuMs() - cpuMs
    if (late > 0) throw new Error(`${late} reports were late`)
  }

  #visit(lease: Lease, url: LeasedUrl): VisitReport {
    const [, name = '', id = ''] = new URL(url.url).pathname.split('/')
    if (name === TRUNK) return this.#report(lease, url, { version: 0, found: this.#branches(Number(id)) })
    if (url.kind === 'sitemap') return this.#readSitemap(lease, url, Number(id))
    const page = Number(id)
    const now = this.#now()
    if ((this.#versions[page] ?? 0) > 0) this.#endInterval(page, now)
    if ((this.#versions[page] ?? 0) === 0 || (this.#staleAt[page] ?? 0) <= now)
      this.#versions[page] = (this.#versions[page] ?? 0) + 1
    this.#startInterval(page, now)
    return this.#report(lease, url, { version: this.#versions[page] ?? 0, found: [] })
  }

  #readSitemap(lease: Lease, url: LeasedUrl, host: number): VisitReport {
    const announced = this.#announced.get(host) ?? new Set()
    this.#announced.delete(host)
    const found = [...announced].map((page) => this.#page(page, this.#world.store.clock.now()))
    return this.#report(lease, url, { version: announced.size === 0 ? 0 : this.#visits, found })
  }

  #startInterval(page: number, now: number): void {
    const changing = this.#world.pages[page]
    if (changing === undefined) return
    const staleAt = changing.process.firstChangeAfter(now)
    this.#visitedAt[page] = now
    this.#staleAt[page] = staleAt
    this.#announced.get(changing.host)?.delete(page)
    const { signals: world } = this.#world
    if (world !== 'none') this.#signals.set(page, firstSignal(changing, { world, time: now, staleAt }, this.#random))
  }

  #endInterval(page: number, to: number): void {
    const importance = this.#world.pages[page]?.importance ?? 0
    this.#meter.add({ importance, from: this.#visitedAt[page] ?? 0, staleAt: this.#staleAt[page] ?? 0, to })
  }

  #report(lease: Lease, url: LeasedUrl, { version, found }: { version: number; found: FoundUrl[] }): VisitReport {
    const contentHash = version.toString(16).padStart(64, '0')
    const facts = { httpStatus: 200, contentType: 'text/html', contentLength: 1, contentHash, title: null }
    const directives = { redirectTo: null, canonical: null, noindex: false, nofollow: false }
    const request = {
      fetchMs: 1,
      processingMs: null,
      ip: null,
      cname: null,
      proxy: null,
      visitedAt: this.#world.store.clock.now(),
    }
    return {
      token: lease.token,
      urlId: url.id,
      outcome: { state: 'visited', reason: null },
      facts: { ...facts, ...directives, ...request },
      page: null,
      found,
      linkCount: found.length,
      traps: null,
      freshness: { etag: null, lastModified: null, isUnchanged: this.#isUnchanged(url, contentHash), maxAgeMs: null },
    }
  }

  /** Reported as a worker does, so that unchanged pages get no row for each visit. */
  #isUnchanged({ url, lastVisit }: LeasedUrl, contentHash: string): boolean {
    const isSame = this.#lastHash.get(url) === contentHash
    this.#lastHash.set(url, contentHash)
    return lastVisit !== null && isSame
  }

  /**
   * A trunk page of each level links to the next one, and to the pages of the next level. They never change. The last one
   * links to the sitemaps: found earlier, they would lower the depths of their pages, and so change their importance.
   */
  #branches(level: number): FoundUrl[] {
    if (this.#expanded.has(level)) return []
    this.#expanded.add(level)
    if (level === DEEPEST) return this.#sitemaps()
    const pages = this.#world.pages.flatMap(({ depth }, i) => (depth === level + 1 ? [this.#page(i, LONG_AGO)] : []))
    return [this.#trunk(level + 1), ...pages]
  }

  #page(index: number, lastmod: number): FoundUrl {
    const { host = 0, pattern = 0, priority = null } = this.#world.pages[index] ?? {}
    const isListed = givesSignals(this.#world.signals, host)
    const listing = { lastmod: isListed ? lastmod : null, changefreq: null, priority, source: 'sitemap' as const }
    return { ...found(host, `${FOLDERS[pattern % FOLDERS.length]}/${index}`, index + 1_000_000), listing }
  }

  #trunk(level: number): FoundUrl {
    return found(0, `${TRUNK}/${level}`, level + 1)
  }

  #sitemaps(): FoundUrl[] {
    const hosts = [...new Set(this.#world.pages.map(({ host }) => host))]
    return hosts
      .filter((host) => givesSignals(this.#world.signals, host))
      .map((host) => found(host, `sitemap/${host}`, host + 1000, 'sitemap'))
  }
}

function found(host: number, path: string, key: number, kind: UrlKind = 'page'): FoundUrl {
  const name = `h${host}.test`
  return { url: `http://${name}/${path}`, host: name, key: BigInt(key), kind, isRefresh: false, listing: null }
}
