// Estimates the size of a site from the sitemaps named in its robots.txt, and how long a crawl of it takes. Reads a
// limited number of sitemaps, one at a time.

import { SITEMAP_LIMITS as FETCH_LIMITS } from '../../engine/fetch/fetch-limits.ts'
import type { Fetcher, FetchResult } from '../../engine/fetch/fetch-result.ts'
import { computeGapMs, updateMeanMs } from '../../engine/politeness/gap.ts'
import { fetchRobots } from '../../engine/robots/fetch-robots.ts'
import { parseRobots } from '../../engine/robots/parse-robots.ts'
import { type OpenedSitemap, openSitemap } from '../../engine/sitemap/open-sitemap.ts'
import { SITEMAP_LIMITS } from '../../engine/sitemap/sitemap-entry.ts'
import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { Scope } from '../../engine/url/scope.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CrawlSettings, NewCrawl } from '../../ports/crawls.ts'

const MAX_SITEMAPS = 20
const MAX_MS = 15_000
const READ_STEP = { maxEntries: 2000, maxBytes: 1 << 16 }

export interface SizeEstimate {
  /** URLs in scope, at most the page limit of the crawl. */
  urls: number
  sitemaps: number
  /** All listed sitemaps were counted. */
  is_complete: boolean
  seconds: number | null
}

export interface EstimateDependencies {
  openFetcher(settings: CrawlSettings, startUrls: readonly string[]): Promise<Fetcher>
  clock: Clock
}

export async function estimateSize(
  plan: NewCrawl,
  dependencies: EstimateDependencies,
  signal: AbortSignal,
): Promise<SizeEstimate> {
  const fetcher = await dependencies.openFetcher(
    plan.settings,
    plan.seeds.map(({ url }) => url),
  )
  const until = dependencies.clock.now() + MAX_MS
  try {
    const queue = await findSitemaps(plan, { fetcher, clock: dependencies.clock })
    const known = new Set(queue)
    const scope = new Scope(
      plan.settings,
      plan.seeds.flatMap(({ kind, url }) => (kind === 'page' ? [url] : [])),
    )
    const estimate = { urls: 0, sitemaps: 0, is_complete: true }
    let responseMs = 0
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      if (estimate.sitemaps >= MAX_SITEMAPS || dependencies.clock.now() >= until || signal.aborted) {
        return withDuration({ ...estimate, is_complete: false }, plan.settings, responseMs)
      }
      const listed = await countSitemap(url, { fetcher, scope })
      if (listed === 'none') continue
      if (listed === 'unread') {
        estimate.is_complete = false
        continue
      }
      responseMs = updateMeanMs(responseMs, listed.ttfbMs)
      estimate.sitemaps += 1
      estimate.urls += listed.urls
      estimate.is_complete &&= listed.isComplete
      for (const next of listed.sitemaps) {
        if (known.size < MAX_SITEMAPS * 10 && !known.has(next)) queue.push(next)
        known.add(next)
      }
    }
    return withDuration(estimate, plan.settings, responseMs)
  } finally {
    await fetcher.close()
  }
}

/** The duration assumes a single host at its pace; pages may respond slower than sitemaps. */
function withDuration(
  estimate: Omit<SizeEstimate, 'seconds'>,
  { maxPages, delayMs, perHost, maxRate }: CrawlSettings,
  responseMs: number,
): SizeEstimate {
  const urls = Math.min(estimate.urls, maxPages ?? Number.POSITIVE_INFINITY)
  if (estimate.sitemaps === 0) return { ...estimate, urls, seconds: null }
  const perPageMs = Math.max(
    computeGapMs(delayMs, responseMs),
    responseMs / perHost,
    maxRate === null ? 0 : 1000 / maxRate,
  )
  return { ...estimate, urls, seconds: Math.ceil((urls * perPageMs) / 1000) }
}

/** The sitemaps given in the request, or those of the first start host. */
async function findSitemaps(plan: NewCrawl, dependencies: { fetcher: Fetcher; clock: Clock }): Promise<string[]> {
  const named = plan.seeds.flatMap(({ kind, url }) => (kind === 'sitemap' ? [url] : []))
  const first = plan.seeds.find(({ kind }) => kind === 'page')
  if (named.length > 0 || first === undefined) return named
  const { origin } = new URL(first.url)
  const { result } = await fetchRobots({ origin, gapMs: 0 }, dependencies)
  const listed = result.kind === 'response' && result.status === 200 ? parseRobots(result.body).sitemaps : []
  const urls = listed.flatMap((text) => normaliseEntry(text, origin))
  return urls.length > 0 ? [...new Set(urls)] : [`${origin}/sitemap.xml`]
}

interface SitemapCount {
  urls: number
  sitemaps: string[]
  isComplete: boolean
  ttfbMs: number
}

async function countSitemap(
  url: string,
  { fetcher, scope }: { fetcher: Fetcher; scope: Scope },
): Promise<SitemapCount | 'none' | 'unread'> {
  const result = await new Promise<FetchResult>((resolve) => fetcher.fetch(url, resolve, FETCH_LIMITS))
  if (result.kind === 'failure') return 'unread'
  if (result.status !== 200) return result.status === 404 || result.status === 410 ? 'none' : 'unread'
  const reader = await new Promise<OpenedSitemap>((resolve) => openSitemap(result, SITEMAP_LIMITS, resolve))
  if ('problem' in reader) return 'unread'
  const { ttfbMs } = result
  const sitemapCount: SitemapCount = { urls: 0, sitemaps: [], isComplete: !reader.isCut, ttfbMs }
  while (!reader.isDone) {
    const entries = reader.next(READ_STEP)
    if (reader.kind === 'index') sitemapCount.sitemaps.push(...entries.flatMap(({ loc }) => normaliseEntry(loc, url)))
    else sitemapCount.urls += entries.filter(({ loc }) => isInScope(loc, url, scope)).length
    // Yields to other requests.
    await new Promise(setImmediate)
  }
  if (reader.kind === 'unknown') return 'none'
  sitemapCount.isComplete &&= reader.truncatedBy === null
  return sitemapCount
}

function isInScope(loc: string, base: string, scope: Scope): boolean {
  const target = normaliseUrl(loc, base)
  return 'url' in target && scope.check(target.url, target.host) === null
}

function normaliseEntry(text: string, base: string): string[] {
  const target = normaliseUrl(text, base)
  return 'url' in target ? [target.url] : []
}
