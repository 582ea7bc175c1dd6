export const CHANGEFREQS = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const
export type Changefreq = (typeof CHANGEFREQS)[number]

/** A sitemap if the file is an index, else a page. */
export interface SitemapEntry {
  /** As it stands in the file, references undone and blanks around it gone; neither resolved nor checked. */
  loc: string
  /** Milliseconds since 1970. */
  lastmod: number | null
  changefreq: Changefreq | null
  /** 0 to 1. */
  priority: number | null
}

export type SitemapKind = 'urlset' | 'index' | 'text' | 'feed' | 'unknown'

export const SKIP_REASONS = ['loc_missing', 'loc_too_long', 'line_not_url'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]
export type SkippedCounts = Record<SkipReason, number>

export interface SitemapLimits {
  maxBytes: number
  maxEntries: number
}

// https://www.sitemaps.org/protocol.html: 50 MB, 50,000 urls, each shorter than 2,048 characters.
export const SITEMAP_LIMITS: Readonly<SitemapLimits> = { maxBytes: 52_428_800, maxEntries: 50_000 }
export const MAX_LOC_LENGTH = 2047

/** Text kept of one field before it is given up as too long. A loc may be five times as long as it will be: `&amp;`. */
export const MAX_FIELD_LENGTH = 16_384

/** Reads the entries of one kind of content, a piece of text at a time. Pieces may be cut anywhere. */
export interface EntryScanner {
  readonly kind: SitemapKind
  readonly skipped: Readonly<SkippedCounts>
  /** Nothing more will come, whatever follows. */
  readonly isDone: boolean
  /** Reads on until an entry is complete or the text ends; returns where it stopped. */
  read(text: string, pos: number): number
  /** The entry that the last read() completed, if any. */
  take(): SitemapEntry | null
  /** The bytes have ended: takes what is complete although its end is missing. `isCut`: the file goes on. */
  end(isCut: boolean): void
}

export function noSkips(): SkippedCounts {
  return { loc_missing: 0, loc_too_long: 0, line_not_url: 0 }
}
