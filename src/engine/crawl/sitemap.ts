// Reads a visited sitemap: what it lists enters the crawl, other sitemaps as such.

import type { FetchResponse } from '../fetch/result.ts'
import { SITEMAP_LIMITS } from '../sitemap/entry.ts'
import { type OpenedSitemap, openSitemap } from '../sitemap/open.ts'
import type { SitemapReader } from '../sitemap/reader.ts'
import { Resolver } from '../url/resolve.ts'
import { NO_LINKS, type Read } from './read.ts'
import type { FetchedReport, Steps, Visit, VisitParts } from './visit.ts'

/** Sitemaps that list sitemaps that list sitemaps; redirects count too. */
const MAX_NESTING = 5
/** What is read in one turn: a few ms. */
const STRETCH = { maxEntries: 500, maxBytes: 1 << 14 }

export function* readSitemap(
  report: FetchedReport,
  visit: Visit & { result: FetchResponse },
  parts: VisitParts,
): Steps<Read> {
  let opened: OpenedSitemap | null = null
  yield (resume) =>
    openSitemap(visit.result, SITEMAP_LIMITS, (reader) => {
      opened = reader
      resume()
    })
  const reader = opened as OpenedSitemap | null
  if (reader === null) return NO_LINKS
  if ('problem' in reader) {
    report.verdict = { state: 'visited', reason: reader.problem }
    return NO_LINKS
  }
  return yield* admitEntries(reader, report, visit, parts)
}

function* admitEntries(reader: SitemapReader, report: FetchedReport, visit: Visit, parts: VisitParts): Steps<Read> {
  const { id, url, depth, hops } = visit.url
  const { admit } = parts
  const resolver = new Resolver(url, parts.page.keepSessionIds)
  const place = { urlId: id, pageUrl: url, resolver }
  let entries = reader.next(STRETCH)
  // What kind of sitemap it is shows with its first entry.
  while (entries.length === 0 && !reader.isDone) {
    yield null
    entries = reader.next(STRETCH)
  }
  const isIndex = reader.kind === 'index'
  const page = admit.open(
    isIndex
      ? { ...place, depth, hops: hops + 1, kind: 'sitemap' }
      : { ...place, depth: depth + 1, hops: 0, kind: 'page' },
  )
  for (;;) {
    for (const { loc, lastmod, changefreq, priority } of entries) {
      if (isIndex && hops >= MAX_NESTING) admit.rejections.count('sitemap_too_deep')
      else admit.addListed(page, loc, { lastmod, changefreq, priority })
    }
    if (reader.isDone) break
    yield null
    entries = reader.next(STRETCH)
  }
  if (reader.kind === 'unknown') report.verdict = { state: 'visited', reason: 'not_a_sitemap' }
  else if (reader.truncatedBy !== null) report.verdict = { state: 'visited', reason: 'sitemap_too_long' }
  else if (reader.isCut) report.verdict = { state: 'visited', reason: 'truncated' }
  for (const [reason, count] of Object.entries(reader.skipped)) {
    if (count > 0) admit.rejections.count(`sitemap_${reason}`, count)
  }
  const { found, links } = admit.close(page)
  return { ...NO_LINKS, found, links }
}
