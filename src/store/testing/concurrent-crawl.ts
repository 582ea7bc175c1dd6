// Workers of several processes crawl a small generated web on one database, concurrently and in real time. The
// guarantees of a store across workers are checked on the way.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { Lease, LeasedUrl } from '../../ports/leases.ts'
import type { PageReport } from '../../ports/pages.ts'
import type { Store } from '../../ports/store.ts'
import type { VisitReport } from '../../ports/visits.ts'
import { PAGE_REPORT } from './page-writer.ts'

type Kind = 'page' | 'redirect' | 'missing'

export interface Web {
  links: Map<string, string[]>
  kinds: Map<string, Kind>
}

const SEEDS = ['a/1', 'b/1', 'c/1']

/** Few hosts with many links among them, so that many workers find the same URLs. */
export function arbitraryWeb(pages: number): fc.Arbitrary<Web> {
  const names = ['a', 'b', 'c', 'd', 'e'].flatMap((host) => Array.from({ length: pages }, (_, i) => `${host}/${i + 1}`))
  const kind = fc.constantFrom<Kind>('page', 'page', 'page', 'page', 'redirect', 'missing')
  const node = fc.record({ links: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), kind })
  return fc.array(node, { minLength: names.length, maxLength: names.length }).map((nodes) => ({
    links: new Map(names.map((page, i) => [page, [...new Set(nodes[i]?.links)]])),
    kinds: new Map(names.map((page, i) => [page, SEEDS.includes(page) ? 'page' : (nodes[i]?.kind ?? 'page')])),
  }))
}

/** Shortest paths by plain breadth-first search; a redirect adds no depth. */
export function shortestDepths(web: Web, maxDepth: number | null): Record<string, number> {
  const depths: Record<string, number> = {}
  let level = [...SEEDS]
  for (let depth = 0; level.length > 0 && depth <= (maxDepth ?? Number.POSITIVE_INFINITY); depth++) {
    const next: string[] = []
    for (const page of level) {
      if (depths[page] !== undefined) continue
      depths[page] = depth
      const links = web.links.get(page) ?? []
      if (web.kinds.get(page) === 'page') next.push(...links)
      if (web.kinds.get(page) === 'redirect') level.push(...links.slice(0, 1))
    }
    level = next
  }
  return depths
}

/** Which worker holds each host, over all processes. A holder is removed before its release is sent. */
class HolderCheck {
  readonly #urls = new Map<number, number>()
  readonly #slots = new Map<string, Map<number, number>>()
  readonly #settings: CrawlSettings

  constructor(settings: CrawlSettings) {
    this.#settings = settings
  }

  granted({ token, host, slots, urls }: Lease): void {
    for (const { id, url } of urls) {
      assert.equal(this.#urls.get(id), undefined, `${url} is in flight twice`)
      this.#urls.set(id, token)
    }
    const held = this.#slots.get(host) ?? new Map<number, number>()
    this.#slots.set(host, held.set(token, slots))
    const taken = [...held.values()].reduce((sum, n) => sum + n, 0)
    assert.ok(taken <= this.#settings.perHost, `${taken} slots of ${host} are leased`)
    if (this.#settings.delayMs !== 0) assert.equal(held.size, 1, `${host} has two holders and a gap`)
  }

  /** A reported URL may be with another worker already: a retry, or a page read again. */
  reported(token: number, urlId: number): void {
    if (this.#urls.get(urlId) === token) this.#urls.delete(urlId)
  }

  released({ token, host, urls }: Lease): void {
    for (const { id } of urls) this.reported(token, id)
    this.#slots.get(host)?.delete(token)
  }
}

export interface ConcurrentCrawl {
  stores: Store[]
  workersPerStore: number
  web: Web
  settings: Partial<CrawlSettings>
  /** Decides when a worker reports twice, releases or retries. */
  chance: () => number
  /** Seeds besides the usual ones. */
  moreSeeds?: string[]
  /** Runs before the workers start; the function it returns runs beside them. */
  beside?: (crawlId: string) => Promise<() => Promise<void>>
}

/** Crawls the web to its end and returns the id of the crawl. */
export async function crawlConcurrently(options: ConcurrentCrawl): Promise<string> {
  const settings = { ...TEST_SETTINGS, ...options.settings }
  const [first] = options.stores
  assert.ok(first)
  const seeds = [...SEEDS, ...(options.moreSeeds ?? [])].map(foundUrl)
  const crawl = await first.crawls.create({ seeds, settings, keySeed: 1 })
  const beside = await options.beside?.(crawl.id)
  const holderCheck = new HolderCheck(settings)
  const workers = options.stores.flatMap((store) =>
    Array.from({ length: options.workersPerStore }, (_, i) =>
      new ModelWorker(store, { crawlId: crawl.id, threadId: `w${i}`, holderCheck, settings, options }).run(),
    ),
  )
  await Promise.all([...workers, beside?.()])
  return crawl.id
}

interface ModelWorkerOptions {
  crawlId: string
  threadId: string
  holderCheck: HolderCheck
  settings: CrawlSettings
  options: ConcurrentCrawl
}

class ModelWorker {
  readonly #store: Store
  readonly #parts: ModelWorkerOptions
  /** Reported links with their depth, which are left out later. */
  readonly #reported = new Map<string, number>()

  constructor(store: Store, parts: ModelWorkerOptions) {
    this.#store = store
    this.#parts = parts
  }

  async run(): Promise<void> {
    const { crawlId, threadId, holderCheck, options } = this.#parts
    const { frontier } = this.#store
    for (let round = 0; round < 5000; round++) {
      const maxUrls = 1 + Math.floor(options.chance() * 6)
      const request = { crawlId, threadId, maxUrls, maxHosts: 3, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
      const { leases, status, wakeCount } = await frontier.lease(request)
      for (const lease of leases) holderCheck.granted(lease)
      if (status !== 'running') return
      for (const lease of leases) await this.#report(lease)
      if (leases.length === 0) await frontier.waitForWork(5, wakeCount)
    }
    assert.fail('the crawl does not end')
  }

  /** Reports all at once, or one by one, so that the host is held longer; sometimes not at all. */
  async #report(lease: Lease): Promise<void> {
    const { chance } = this.#parts.options
    const isOneByOne = chance() < 0.5
    const visits = chance() < 0.1 ? [] : lease.urls.map((url) => () => this.#visit(lease, url))
    if (isOneByOne) for (const visit of visits.splice(0)) await this.#commit(lease, [visit()], [])
    this.#parts.holderCheck.released(lease)
    const rest = visits.map((visit) => visit())
    await this.#commit(lease, rest, [lease.token])
  }

  async #commit(lease: Lease, visits: VisitReport[], release: number[]): Promise<void> {
    const { crawlId, threadId, holderCheck, options } = this.#parts
    for (const { token, urlId } of visits) holderCheck.reported(token, urlId)
    const keys = visits.flatMap((visit) =>
      (options.web.links.get(nameOf(lease, visit)) ?? []).slice(0, visit.linkCount),
    )
    const { late } = await this.#store.frontier.commit({
      crawlId,
      threadId,
      visits,
      found: [],
      hosts: [],
      samples: [],
      release,
      bytes: 1,
      linkKeys: new Uint8Array(new BigInt64Array(keys.map((name) => foundUrl(name).key)).buffer),
      requests: {},
      subresources: [],
      rejected: { scope: 1 },
    })
    assert.equal(late, 0)
  }

  #visit(lease: Lease, url: LeasedUrl): VisitReport {
    const { web, chance } = this.#parts.options
    const name = shortName(url.url)
    const kind = web.kinds.get(name) ?? 'page'
    const report = {
      token: lease.token,
      urlId: url.id,
      facts: makeVisitFacts(kind),
      page: pageOf(url),
      found: [],
      linkCount: 0,
      traps: null,
      freshness: null,
    }
    if (chance() < 0.1) return { ...report, outcome: { state: 'retry', reason: 'http_500', dueAt: Date.now() + 2 } }
    if (kind === 'missing') return { ...report, outcome: { state: 'not_found', reason: null } }
    const isRedirect = kind === 'redirect'
    const links = (web.links.get(name) ?? []).slice(0, isRedirect ? 1 : undefined)
    const news = links.filter((link) => this.#isNews(link, url.depth + (isRedirect ? 0 : 1)))
    const verdict = { state: isRedirect ? ('redirected' as const) : ('visited' as const), reason: null }
    return { ...report, outcome: verdict, found: news.map(foundUrl), linkCount: links.length }
  }

  /**
   * As in crawl threads: a link is reported once, and again at a lower depth; beyond the limit all links are
   * reported.
   */
  #isNews(link: string, depth: number): boolean {
    const { maxDepth } = this.#parts.settings
    if (maxDepth !== null && depth > maxDepth) return true
    const known = this.#reported.get(link)
    if (known !== undefined && known <= depth) return false
    this.#reported.set(link, depth)
    return true
  }
}

/** A distinct payload for every attempt, all in one segment, so that the locks of pages are exercised. */
function pageOf({ id, attempts }: LeasedUrl): PageReport {
  const digest = createHash('sha256').update(`${id}/${attempts}`).digest('hex')
  return { ...PAGE_REPORT, digest, position: { segment: 's1', offset: id * 1000 + attempts, length: 50 } }
}

export function makeVisitFacts(kind: Kind): VisitReport['facts'] {
  const texts = {
    contentType: null,
    contentHash: null,
    title: null,
    redirectTo: null,
    canonical: null,
    cname: null,
    proxy: null,
  }
  const numbers = { httpStatus: kind === 'missing' ? 404 : 200, contentLength: 10, fetchMs: 1, visitedAt: Date.now() }
  return { ...texts, ...numbers, processingMs: null, ip: null, noindex: false, nofollow: false }
}

export function shortName(url: string): string {
  return url.replace('http://', '').replace('.test/', '/')
}

function nameOf(lease: Lease, { urlId }: VisitReport): string {
  return shortName(lease.urls.find(({ id }) => id === urlId)?.url ?? '')
}
