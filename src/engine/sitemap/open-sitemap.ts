import { gunzipInPieces, isGzip, type ReceivedBody } from './gunzip.ts'
import type { SitemapLimits } from './sitemap-entry.ts'
import { SitemapReader } from './sitemap-reader.ts'

export type OpenedSitemap = SitemapReader | { problem: 'sitemap_gzip_invalid' }

/**
 * Opens a body after content decoding. Everything beyond the limit is dropped, packed or not. Calls back exactly once,
 * never synchronously.
 */
export function openSitemap(sitemap: ReceivedBody, limits: SitemapLimits, done: (opened: OpenedSitemap) => void): void {
  const { body, truncated } = sitemap
  if (isGzip(body)) {
    gunzipInPieces(sitemap, limits.maxBytes, (unpacked) => {
      if (unpacked === null) done({ problem: 'sitemap_gzip_invalid' })
      else done(new SitemapReader(unpacked.pieces, limits, unpacked.isTruncated))
    })
    return
  }
  const isCut = truncated || body.length > limits.maxBytes
  queueMicrotask(() => done(new SitemapReader([body.subarray(0, limits.maxBytes)], limits, isCut)))
}
