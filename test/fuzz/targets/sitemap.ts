// Sitemaps: any bytes are read, the same whatever the slices and the pieces they come in.

import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Random } from '../../../src/demo/random.ts'
import { CHANGEFREQS, MAX_LOC_LENGTH, SITEMAP_LIMITS } from '../../../src/engine/sitemap/entry.ts'
import { gunzipAtOnce, isGzip } from '../../../src/engine/sitemap/gunzip.ts'
import { readAll, readWholeSitemap, type WholeSitemap } from '../../../src/engine/sitemap/read-whole-sitemap.ts'
import { SitemapReader } from '../../../src/engine/sitemap/reader.ts'
import { noise, writeUrlset } from '../../../src/engine/sitemap/urlset.grammar.ts'
import { SITEMAP_CORPUS, SITEMAP_TOKENS } from '../corpus/sitemap.ts'
import { pureTarget, type Target } from '../target.ts'
import { anyOrder, inputWriter, sampleOf } from '../write.ts'

const page = fc.record({
  loc: fc.webUrl({ withQueryParameters: true }),
  lastmod: fc.option(fc.integer({ min: 0, max: Date.UTC(2100) })),
  changefreq: fc.option(fc.constantFrom(...CHANGEFREQS)),
  priority: fc.option(fc.constantFrom(0, 0.5, 1)),
})
const urlset = fc.tuple(fc.array(page, { maxLength: 4 }), noise).map(([pages, choices]) => writeUrlset(pages, choices))

export const sitemapTarget: Target = pureTarget(
  'sitemap',
  inputWriter({
    corpus: [...SITEMAP_CORPUS, ...SITEMAP_CORPUS.slice(0, 2).map((text) => gzipSync(text))],
    tokens: SITEMAP_TOKENS,
    grammars: [anyOrder(SITEMAP_TOKENS), sampleOf(urlset)],
    maxBytes: 256 * 1024,
  }),
  check,
)

function check(input: Buffer, random: Random): void {
  const whole = readWholeSitemap(input)
  checkEntries(whole, input)
  const bytes = isGzip(input) ? gunzipAtOnce(input, SITEMAP_LIMITS.maxBytes) : input
  if (bytes === null) return assert.deepEqual([whole.kind, whole.entries], ['unknown', []])
  const reader = new SitemapReader(cut(bytes, random), SITEMAP_LIMITS)
  const maxEntries = 1 + random.below(5)
  // Slices of a byte take long on a large file.
  const maxBytes = 1 + Math.floor(bytes.length / 10_000) + random.below(200)
  const sliced = readAll(reader, () => ({
    maxEntries: 1 + random.below(maxEntries),
    maxBytes: 1 + random.below(maxBytes),
  }))
  assert.deepEqual(sliced, whole)
}

function checkEntries({ entries, kind }: WholeSitemap, input: Buffer): void {
  assert.ok(entries.length <= SITEMAP_LIMITS.maxEntries)
  if (!isGzip(input)) assert.ok(entries.length <= input.length, 'an entry takes a byte and more')
  if (kind === 'unknown') assert.equal(entries.length, 0)
  for (const { loc, lastmod, changefreq, priority } of entries) {
    assert.ok(loc !== '' && loc.length <= MAX_LOC_LENGTH, 'an entry has a loc of bounded length')
    assert.ok(lastmod === null || Number.isSafeInteger(lastmod), `${lastmod}`)
    assert.ok(priority === null || (priority >= 0 && priority <= 1), `${priority}`)
    assert.ok(changefreq === null || CHANGEFREQS.includes(changefreq))
  }
}

function cut(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(bytes.length)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}
