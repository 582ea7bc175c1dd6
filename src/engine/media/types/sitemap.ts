import { SITEMAP_LIMITS } from '../../sitemap/sitemap-entry.ts'
import { SitemapReader } from '../../sitemap/sitemap-reader.ts'
import {
  type ContentType,
  type ExtractedContent,
  type ExtractedLink,
  NO_CONTENT,
  truncateToLimits,
} from '../content-type.ts'

/** Sitemaps found as pages. Sitemaps listed in robots.txt are read by the crawl itself. */
export const SITEMAP = {
  name: 'sitemap',
  mediaTypes: ['application/sitemap+xml'],
  signature: null,
  roots: { urlset: 'application/xml', sitemapindex: 'application/xml' },
  isInZip: null,
  isValid: () => true,
  isPage: false,
  isHeavy: () => false,
  extract: extractSitemap,
} as const satisfies ContentType

const SLICE = { maxEntries: 1000, maxBytes: 1 << 16 }

function extractSitemap(body: Buffer): ExtractedContent {
  const reader = new SitemapReader([body], SITEMAP_LIMITS)
  const links: ExtractedLink[] = []
  while (!reader.isDone) for (const { loc } of reader.next(SLICE)) links.push({ href: loc, rel: '', text: '' })
  const problem = reader.truncatedBy === null ? null : 'cut'
  return truncateToLimits({ ...NO_CONTENT, links, problem })
}
