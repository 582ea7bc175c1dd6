import assert from 'node:assert/strict'
import { SITEMAP_LIMITS } from '../sitemap-entry.ts'
import { SitemapReader } from '../sitemap-reader.ts'
import { readAll, readWholeSitemap, type WholeSitemap } from './read-whole-sitemap.ts'

/** Reads a sitemap at once and byte by byte; both must yield the same. */
export function readBothWays(content: string | Buffer): WholeSitemap {
  const body = Buffer.from(content)
  const whole = readWholeSitemap(body)
  const reader = new SitemapReader([body], SITEMAP_LIMITS)
  assert.deepEqual(
    readAll(reader, () => ({ maxEntries: 1, maxBytes: 1 })),
    whole,
  )
  return whole
}

export function locsOf(content: string | Buffer): string[] {
  return readBothWays(content).entries.map((entry) => entry.loc)
}

/** A urlset with one page whose loc contains `content`. */
export function withLoc(content: string): string {
  return `<urlset><url><loc>${content}</loc></url></urlset>`
}
