import { isGzip } from '../gunzip.ts'
import { SITEMAP_LIMITS, type SitemapEntry, type SitemapKind, type SkippedCounts } from '../sitemap-entry.ts'
import { SitemapReader, type SliceBudget } from '../sitemap-reader.ts'
import { gunzipWhole } from './gunzip-whole.ts'

export interface WholeSitemap {
  kind: SitemapKind
  entries: SitemapEntry[]
  skipped: Readonly<SkippedCounts>
}

const AT_ONCE: SliceBudget = { maxEntries: SITEMAP_LIMITS.maxEntries, maxBytes: SITEMAP_LIMITS.maxBytes }

/**
 * Reads everything synchronously, for tests and fuzzing. A file that cannot be opened has an unknown format and no
 * entries.
 */
export function readWholeSitemap(body: Buffer): WholeSitemap {
  const bytes = isGzip(body) ? gunzipWhole(body, SITEMAP_LIMITS.maxBytes) : body
  return readAll(new SitemapReader(bytes === null ? [] : [bytes], SITEMAP_LIMITS), () => AT_ONCE)
}

export function readAll(reader: SitemapReader, budget: () => SliceBudget): WholeSitemap {
  const entries: SitemapEntry[] = []
  while (!reader.isDone) for (const entry of reader.next(budget())) entries.push(entry)
  return { kind: reader.kind, entries, skipped: reader.skipped }
}
