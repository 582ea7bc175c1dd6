import { SITEMAP_LIMITS, type SitemapEntry, type SitemapKind, type Skipped } from './entry.ts'
import { gunzipAtOnce, isGzip } from './gunzip.ts'
import { SitemapReader, type SliceBudget } from './reader.ts'

export interface WholeSitemap {
  kind: SitemapKind
  entries: SitemapEntry[]
  skipped: Readonly<Skipped>
}

const AT_ONCE: SliceBudget = { maxEntries: SITEMAP_LIMITS.maxEntries, maxBytes: SITEMAP_LIMITS.maxBytes }

/** For tests and fuzzing: blocks until all is read. What cannot be opened is an unknown file without entries. */
export function readWholeSitemap(body: Buffer): WholeSitemap {
  const bytes = isGzip(body) ? gunzipAtOnce(body, SITEMAP_LIMITS.maxBytes) : body
  return readAll(new SitemapReader(bytes === null ? [] : [bytes], SITEMAP_LIMITS), () => AT_ONCE)
}

export function readAll(reader: SitemapReader, budget: () => SliceBudget): WholeSitemap {
  const entries: SitemapEntry[] = []
  while (!reader.isDone) for (const entry of reader.next(budget())) entries.push(entry)
  return { kind: reader.kind, entries, skipped: reader.skipped }
}
