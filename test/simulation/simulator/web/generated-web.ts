// A small web generated from a seed: some hosts, each with rules and pages of every outcome that does not depend on
// time.

import { type SeededRandom, seededRandom } from '../../../../src/lib/seeded-random.ts'

export interface GeneratedWebOptions {
  seed: number
  hosts: number
  pagesPerHost: number
}

export type PageKind = 'page' | 'redirect' | 'missing' | 'forbidden' | 'gone' | 'broken' | 'flaky' | 'dropped'

export interface GeneratedPage {
  url: string
  kind: PageKind
  links: string[]
  latencyMs: number
  /** Failures of a flaky or dropped page before it succeeds. */
  failures: number
}

export interface GeneratedHost {
  name: string
  crawlDelayMs: number
  /** Failures of robots.txt before it succeeds. */
  robotsFailures: number
  /** Disallowed path prefix. */
  disallow: string | null
  /** Page requests of a crawl that it serves at a time; others get a 503. */
  maxConcurrent: number
  /** A sitemap that robots.txt names; it lists pages of the host. */
  sitemap: { url: string; lists: string[] } | null
}

export interface GeneratedWeb {
  seeds: string[]
  hosts: Map<string, GeneratedHost>
  pages: Map<string, GeneratedPage>
}

/** Maximum response time: a request of a paused process is over before its lease expires. */
const SLOWEST_MS = 2500
const KINDS: readonly PageKind[] = ['redirect', 'redirect', 'missing', 'forbidden', 'gone', 'broken', 'flaky', 'flaky']
/** Below the redirect limit, so that no chain is too long. */
const MAX_REDIRECTS = 8
const PRIVATE = '/private/'

export function generateWeb({ seed, hosts, pagesPerHost }: GeneratedWebOptions): GeneratedWeb {
  const random = seededRandom(seed)
  const names = Array.from({ length: hosts }, (_, i) => `h${i}.test`)
  const urls = names.flatMap((name) => Array.from({ length: pagesPerHost }, (_, i) => urlOf(random, name, i)))
  const pages = new Map<string, GeneratedPage>()
  let redirects = 0
  for (const [i, url] of urls.entries()) {
    const isRoot = i % pagesPerHost === 0
    let kind: PageKind = isRoot || random.chance(0.6) ? 'page' : random.pick(KINDS)
    if (kind === 'redirect') redirects += 1
    if (redirects > MAX_REDIRECTS) kind = 'page'
    // A host that drops more than a few requests in a row would be given up, at a time that depends on chance.
    if (i % pagesPerHost === 2 && random.chance(0.3)) kind = 'dropped'
    pages.set(url, makePage(random, { url, kind, urls, at: i }))
  }
  return {
    seeds: urls.filter((_, i) => i === 0 || (i % pagesPerHost === 0 && random.chance(0.4))),
    hosts: new Map(names.map((name) => [name, makeHost(random, name, urls)])),
    pages,
  }
}

function urlOf(seededRandom: SeededRandom, host: string, n: number): string {
  return n > 1 && seededRandom.chance(0.15) ? `http://${host}${PRIVATE}${n}` : `http://${host}/${n}`
}

function makePage(
  seededRandom: SeededRandom,
  draft: { url: string; kind: PageKind; urls: string[]; at: number },
): GeneratedPage {
  const { url, kind, urls, at } = draft
  const count = kind === 'redirect' ? 1 : 1 + seededRandom.below(4)
  // Most links lead a little further, so that there are long and short paths; some lead anywhere.
  const pick = () =>
    seededRandom.chance(0.7) ? urls[Math.min(urls.length - 1, at + 1 + seededRandom.below(5))] : seededRandom.pick(urls)
  const links = new Set(Array.from({ length: count }, () => pick() ?? url))
  const latencyMs = seededRandom.chance(0.1)
    ? 1000 + seededRandom.below(SLOWEST_MS - 1000)
    : 5 + seededRandom.below(120)
  return { url, kind, links: [...links], latencyMs, failures: kind === 'flaky' ? 1 + seededRandom.below(2) : 1 }
}

function makeHost(seededRandom: SeededRandom, name: string, urls: string[]): GeneratedHost {
  const own = urls.filter((url) => url.startsWith(`http://${name}/`))
  return {
    name,
    crawlDelayMs: seededRandom.chance(0.35) ? seededRandom.pick([300, 1500, 7000]) : 0,
    robotsFailures: seededRandom.chance(0.35) ? 1 : 0,
    disallow: seededRandom.chance(0.5) ? PRIVATE : null,
    sitemap: seededRandom.chance(0.25)
      ? { url: `http://${name}/map.txt`, lists: own.filter(() => seededRandom.chance(0.4)) }
      : null,
    maxConcurrent: seededRandom.chance(0.3) ? 1 + seededRandom.below(2) : Number.POSITIVE_INFINITY,
  }
}
