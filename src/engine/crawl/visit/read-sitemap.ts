// Reads a sitemap. The URLs it lists enter the crawl as pages; entries of a sitemap index enter as sitemaps.

import { type OpenedSitemap, openSitemap } from '../../sitemap/open-sitemap.ts'
import { SITEMAP_LIMITS } from '../../sitemap/sitemap-entry.ts'
import type { SitemapReader } from '../../sitemap/sitemap-reader.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { NOTHING_PARSED, type ParsedResponse } from './parsed-response.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { FetchedVisit, Steps, Visit, VisitDependencies } from './visit-steps.ts'

/** Levels of sitemap indexes; redirects count too. */
const MAX_NESTING = 5
/** Limits of what is read in one turn of the event loop: a few ms. */
const STEP_LIMITS = { maxEntries: 500, maxBytes: 1 << 14 }

export function* readSitemap(
  report: FetchedReport,
  visit: FetchedVisit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  let opened: OpenedSitemap | null = null
  yield {
    waitsFor: 'documents',
    start: (resume) =>
      openSitemap(visit.result, SITEMAP_LIMITS, (reader) => {
        opened = reader
        resume()
      }),
  }
  const reader = opened as OpenedSitemap | null
  if (reader === null) return NOTHING_PARSED
  if ('problem' in reader) {
    report.outcome = { state: 'visited', reason: reader.problem }
    return NOTHING_PARSED
  }
  return yield* admitEntries(reader, report, visit, dependencies)
}

function* admitEntries(
  reader: SitemapReader,
  report: FetchedReport,
  visit: Visit,
  dependencies: VisitDependencies,
): Steps<ParsedResponse> {
  const { id, url, depth, hops } = visit.url
  const { linkAdmission } = dependencies
  const linkResolver = new LinkResolver(url, dependencies.pageReading.keepSessionIds)
  const context = { urlId: id, pageUrl: url, resolver: linkResolver }
  let entries = reader.next(STEP_LIMITS)
  // The first entry shows whether this is a sitemap or a sitemap index.
  while (entries.length === 0 && !reader.isDone) {
    yield null
    entries = reader.next(STEP_LIMITS)
  }
  const isIndex = reader.kind === 'index'
  const page = linkAdmission.openPage(
    isIndex
      ? { ...context, depth, hops: hops + 1, kind: 'sitemap' }
      : { ...context, depth: depth + 1, hops: 0, kind: 'page' },
  )
  for (;;) {
    for (const { loc, lastmod, changefreq, priority } of entries) {
      if (isIndex && hops >= MAX_NESTING) linkAdmission.rejections.count('sitemap_too_deep')
      else linkAdmission.addListedUrl(page, loc, { lastmod, changefreq, priority, source: 'sitemap' })
    }
    if (reader.isDone) break
    yield null
    entries = reader.next(STEP_LIMITS)
  }
  if (reader.kind === 'unknown') report.outcome = { state: 'visited', reason: 'not_a_sitemap' }
  else if (reader.truncatedBy !== null) report.outcome = { state: 'visited', reason: 'sitemap_too_long' }
  else if (reader.isCut) report.outcome = { state: 'visited', reason: 'truncated' }
  for (const [reason, count] of Object.entries(reader.skipped)) {
    if (count > 0) linkAdmission.rejections.count(`sitemap_${reason}`, count)
  }
  const { found, linkKeys } = linkAdmission.closePage(page)
  return { ...NOTHING_PARSED, found, linkKeys }
}
