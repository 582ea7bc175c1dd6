import { SITEMAP_LIMITS } from '../sitemap/entry.ts'
import { SitemapReader } from '../sitemap/reader.ts'
import { type ContentType, type Extracted, type ExtractedLink, NOTHING, withinLimits } from './type.ts'

/** Sitemaps that were come upon as pages. Those that robots.txt names are read by crawl/sitemap.ts. */
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

function extractSitemap(body: Buffer): Extracted {
  const reader = new SitemapReader([body], SITEMAP_LIMITS)
  const links: ExtractedLink[] = []
  while (!reader.isDone) for (const { loc } of reader.next(SLICE)) links.push({ href: loc, rel: '', text: '' })
  const problem = reader.truncatedBy === null ? null : 'cut'
  return withinLimits({ ...NOTHING, links, problem })
}
