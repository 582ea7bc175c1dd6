// Sitemaps: any bytes are parsed, with the same result for all slices and steps.

import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { isGzip } from '../../../src/engine/sitemap/gunzip.ts'
import { CHANGEFREQS, MAX_LOC_LENGTH, SITEMAP_LIMITS } from '../../../src/engine/sitemap/sitemap-entry.ts'
import { SitemapReader } from '../../../src/engine/sitemap/sitemap-reader.ts'
import { gunzipWhole } from '../../../src/engine/sitemap/testing/gunzip-whole.ts'
import { readAll, readWholeSitemap, type WholeSitemap } from '../../../src/engine/sitemap/testing/read-whole-sitemap.ts'
import { noise, writeUrlset } from '../../../src/engine/sitemap/testing/urlset-grammar.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import { SITEMAP_CORPUS, SITEMAP_TOKENS } from '../corpus/sitemap.ts'
import { type FuzzTarget, pureTarget } from '../fuzz-target.ts'
import { fromArbitrary, makeInputWriter, randomTokens } from '../input-writer.ts'

const page = fc.record({
  loc: fc.webUrl({ withQueryParameters: true }),
  lastmod: fc.option(fc.integer({ min: 0, max: Date.UTC(2100) })),
  changefreq: fc.option(fc.constantFrom(...CHANGEFREQS)),
  priority: fc.option(fc.constantFrom(0, 0.5, 1)),
})
const urlset = fc.tuple(fc.array(page, { maxLength: 4 }), noise).map(([pages, choices]) => writeUrlset(pages, choices))

export const sitemapTarget: FuzzTarget = pureTarget(
  'sitemap',
  makeInputWriter({
    corpus: [...SITEMAP_CORPUS, ...SITEMAP_CORPUS.slice(0, 2).map((text) => gzipSync(text))],
    tokens: SITEMAP_TOKENS,
    grammars: [randomTokens(SITEMAP_TOKENS), fromArbitrary(urlset)],
    maxBytes: 256 * 1024,
  }),
  check,
)

function check(input: Buffer, seededRandom: SeededRandom): void {
  const whole = readWholeSitemap(input)
  checkEntries(whole, input)
  const bytes = isGzip(input) ? gunzipWhole(input, SITEMAP_LIMITS.maxBytes) : input
  if (bytes === null) return assert.deepEqual([whole.kind, whole.entries], ['unknown', []])
  const reader = new SitemapReader(splitRandomly(bytes, seededRandom), SITEMAP_LIMITS)
  const maxEntries = 1 + seededRandom.below(5)
  // Slices of one byte take too long on a large file.
  const maxBytes = 1 + Math.floor(bytes.length / 10_000) + seededRandom.below(200)
  const sliced = readAll(reader, () => ({
    maxEntries: 1 + seededRandom.below(maxEntries),
    maxBytes: 1 + seededRandom.below(maxBytes),
  }))
  assert.deepEqual(sliced, whole)
}

function checkEntries({ entries, kind }: WholeSitemap, input: Buffer): void {
  assert.ok(entries.length <= SITEMAP_LIMITS.maxEntries)
  if (!isGzip(input)) assert.ok(entries.length <= input.length, 'an entry needs at least a byte')
  if (kind === 'unknown') assert.equal(entries.length, 0)
  for (const { loc, lastmod, changefreq, priority } of entries) {
    assert.ok(loc !== '' && loc.length <= MAX_LOC_LENGTH, 'an entry has a loc of bounded length')
    assert.ok(lastmod === null || Number.isSafeInteger(lastmod), `${lastmod}`)
    assert.ok(priority === null || (priority >= 0 && priority <= 1), `${priority}`)
    assert.ok(changefreq === null || CHANGEFREQS.includes(changefreq))
  }
}

function splitRandomly(bytes: Buffer, seededRandom: SeededRandom): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + seededRandom.below(bytes.length)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}
