// Writes crawls for the web app directly into a store, with the calls that a worker makes: a site with sections, topics
// and pages that link to each other, and a long list of queued URLs.

import { systemClock } from '../../src/lib/clock.ts'
import { type SeededRandom, seededRandom } from '../../src/lib/seeded-random.ts'
import { TEST_SETTINGS } from '../../src/ports/contracts/testing/store-harness.ts'
import type { Lease, LeasedUrl } from '../../src/ports/leases.ts'
import type { Store } from '../../src/ports/store.ts'
import type { FoundUrl, VisitReport } from '../../src/ports/visits.ts'
import { openStore } from '../../src/store/sqlite/store.ts'

const HOSTS = 12
const SECTIONS = 8
const TOPICS = 10
const CHILDREN = 8
/** Random links of a page, besides the menu of its site. */
const RANDOM_LINKS = 8
const WORKER = 'bench'
const URLS_A_COMMIT = 2000
/** Links on one page of the long list. */
const LIST_LINKS = 10_000
const LISTS_A_COMMIT = 5

export async function withStore<T>(folder: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(folder, { clock: systemClock, random: Math.random, leaseMs: 600_000, create: true })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Writes a completed crawl with this many URLs and links among them; returns its id. */
export async function writeSiteCrawl(store: Store, urls: number): Promise<string> {
  const random = seededRandom(1)
  const { id } = await store.crawls.create({ seeds: [urlOf(0)], settings: TEST_SETTINGS, keySeed: 1 })
  // Only pages without children may be missing or fail, so that all URLs are still discovered.
  const site: Site = {
    linksOf: (url) => linksOf(numberOf(url), urls, random),
    mayFail: (url) => numberOf(url) * CHILDREN >= urls,
  }
  while ((await visitBatch(store, id, URLS_A_COMMIT, site)) > 0);
  return id
}

/** Writes a paused crawl that has visited some lists and queued their URLs. */
export async function writeListCrawl(store: Store, urls: number): Promise<string> {
  const lists = Math.ceil(urls / LIST_LINKS)
  const name = (path: string, key: number) => toFoundUrl('list.test', path, key)
  const listed = (url: string) => {
    const list = /\/lists\/(\d+)$/.exec(url)?.[1]
    if (list === undefined) return Array.from({ length: lists }, (_, i) => name(`/lists/${i}`, i + 1))
    const first = Number(list) * LIST_LINKS
    return Array.from({ length: LIST_LINKS }, (_, i) => name(`/entries/${first + i}`, lists + 1 + first + i))
  }
  const { id } = await store.crawls.create({ seeds: [name('/', 0)], settings: TEST_SETTINGS, keySeed: 1 })
  for (let left = lists + 1; left > 0; ) {
    left -= await visitBatch(store, id, Math.min(left, LISTS_A_COMMIT), { linksOf: listed, mayFail: () => false })
  }
  await store.crawls.setPaused(id, true)
  return id
}

interface Site {
  linksOf(url: string): FoundUrl[]
  mayFail(url: string): boolean
}

async function visitBatch(store: Store, crawlId: string, maxUrls: number, site: Site): Promise<number> {
  const visits: VisitReport[] = []
  const held = new Set<number>()
  // A lease has few URLs; several of them make a commit that is worth its fsync.
  for (let taken = -1; taken !== visits.length && visits.length < maxUrls; ) {
    taken = visits.length
    const { leases } = await store.frontier.lease({
      crawlId,
      threadId: WORKER,
      maxUrls: maxUrls - taken,
      maxHosts: 100,
      slotsPerHost: 100,
      topUp: [...held],
      patternsVersion: 0,
    })
    for (const lease of leases) {
      held.add(lease.token)
      visits.push(...lease.urls.map((url) => reportOf(lease, url, site)))
    }
  }
  const keys = visits.flatMap(({ found }) => found.map(({ key }) => key))
  await store.frontier.commit({
    crawlId,
    threadId: WORKER,
    visits,
    linkKeys: new Uint8Array(new BigInt64Array(keys).buffer),
    found: [],
    hosts: [],
    rejected: {},
    requests: {},
    subresources: [],
    samples: [],
    release: [...held],
    bytes: visits.length * 10_000,
  })
  return visits.length
}

function reportOf(lease: Lease, { id, url }: LeasedUrl, { linksOf, mayFail }: Site): VisitReport {
  const isGone = mayFail(url) && id % 17 === 3
  const isBroken = mayFail(url) && id % 41 === 7
  const found = isGone || isBroken ? [] : linksOf(url)
  return {
    token: lease.token,
    urlId: id,
    traps: null,
    freshness: null,
    outcome: isGone
      ? { state: 'not_found', reason: null }
      : isBroken
        ? { state: 'failed', reason: 'timeout' }
        : { state: 'visited', reason: null },
    facts: {
      httpStatus: isGone ? 404 : isBroken ? null : 200,
      contentType: 'text/html',
      contentLength: 10_000,
      contentHash: null,
      title: `About ${url}`,
      redirectTo: null,
      canonical: null,
      noindex: false,
      nofollow: false,
      fetchMs: 5 + (id % 90),
      processingMs: null,
      ip: '192.0.2.1',
      cname: null,
      proxy: null,
      visitedAt: systemClock.now(),
    },
    page: null,
    found,
    linkCount: found.length,
  }
}

/**
 * URL n is a child of n
 * CHILDREN, so that all are connected. A page also has the menu of its site and random links.
 */
function linksOf(number: number, urls: number, seededRandom: SeededRandom): FoundUrl[] {
  const links = new Set<number>()
  for (let child = number * CHILDREN + 1; child <= (number + 1) * CHILDREN && child < urls; child++) links.add(child)
  for (let i = 1; i <= 6 && i < urls; i++) links.add(i)
  for (let i = 0; i < RANDOM_LINKS; i++) links.add(seededRandom.below(urls))
  links.delete(number)
  return [...links].map(urlOf)
}

function urlOf(number: number): FoundUrl {
  if (number === 0) return toFoundUrl('site0.test', '/', 0)
  const host = `site${number % 3 === 0 ? number % HOSTS : 0}.test`
  const section = Math.floor(number / 7) % SECTIONS
  const topic = Math.floor(number / 53) % TOPICS
  return toFoundUrl(host, `/section-${section}/topic-${topic}/page-${number}`, number)
}

function numberOf(url: string): number {
  return Number(/-(\d+)$/.exec(url)?.[1] ?? 0)
}

function toFoundUrl(host: string, path: string, key: number): FoundUrl {
  return { url: `http://${host}${path}`, host, key: BigInt(key + 1), kind: 'page', isRefresh: false, listing: null }
}
