export const CHANGEFREQS = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const
export type Changefreq = (typeof CHANGEFREQS)[number]

/** A sitemap if the file is an index, otherwise a page. */
export interface SitemapEntry {
  /** The location as written in the file, with references decoded and blanks trimmed; neither resolved nor checked. */
  loc: string
  /** Milliseconds since 1970. */
  lastmod: number | null
  changefreq: Changefreq | null
  /** 0 to 1. */
  priority: number | null
}

export type SitemapKind = 'urlset' | 'index' | 'text' | 'feed' | 'unknown'

const SKIP_REASONS = ['loc_missing', 'loc_too_long', 'line_not_url'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]
export type SkippedCounts = Record<SkipReason, number>

export interface SitemapLimits {
  maxBytes: number
  maxEntries: number
}

// https://www.sitemaps.org/protocol.html: 50 MB, 50,000 URLs, each shorter than 2,048 characters.
export const SITEMAP_LIMITS: Readonly<SitemapLimits> = { maxBytes: 52_428_800, maxEntries: 50_000 }
export const MAX_LOC_LENGTH = 2047

/** Longest text kept of one field. In the file a loc may be five times as long as decoded: `&amp;`. */
export const MAX_FIELD_LENGTH = 16_384

/** Reads the entries of one kind of content from chunked text. Chunks may be split anywhere. */
export interface EntryScanner {
  readonly kind: SitemapKind
  readonly skipped: Readonly<SkippedCounts>
  /** True if nothing more will be found, whatever follows. */
  readonly isDone: boolean
  /** Reads until an entry is complete or the text ends, and returns that position. */
  read(text: string, pos: number): number
  /** The entry that the last read() completed, if any. */
  take(): SitemapEntry | null
  /** Called at the end: completes an entry whose end is missing. `isCut` means that the file continues. */
  end(isCut: boolean): void
}

export function noSkips(): SkippedCounts {
  return { loc_missing: 0, loc_too_long: 0, line_not_url: 0 }
}
