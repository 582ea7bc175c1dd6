import type { SitemapLimits } from './entry.ts'
import { type GunzipProblem, gunzipInPieces, isGzip } from './gunzip.ts'
import { SitemapReader } from './reader.ts'

export type OpenedSitemap = SitemapReader | { problem: GunzipProblem }

/** For a body with its HTTP codings undone. Calls back exactly once, never before returning. */
export function openSitemap(body: Buffer, limits: SitemapLimits, done: (opened: OpenedSitemap) => void): void {
  if (isGzip(body)) {
    gunzipInPieces(body, limits.maxBytes, (unpacked) => {
      done('problem' in unpacked ? unpacked : new SitemapReader(unpacked, limits))
    })
    return
  }
  const isTooLarge = body.length > limits.maxBytes
  queueMicrotask(() => done(isTooLarge ? { problem: 'sitemap_too_large' } : new SitemapReader([body], limits)))
}
