import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CHANGEFREQS, SITEMAP_LIMITS } from './sitemap-entry.ts'
import { SitemapReader } from './sitemap-reader.ts'
import { readAll, readWholeSitemap, type WholeSitemap } from './testing/read-whole-sitemap.ts'
import { noise, type UrlsetEntry, writeUrlset } from './testing/urlset-grammar.ts'

const seed = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)

const budgets = fc.array(
  fc.record({ maxEntries: fc.integer({ min: 1, max: 3 }), maxBytes: fc.integer({ min: 1, max: 200 }) }),
  {
    minLength: 1,
  },
)

type Budgets = typeof budgets extends fc.Arbitrary<infer T> ? T : never

function readSliced(body: Buffer, list: Budgets): WholeSitemap {
  let turn = 0
  return readAll(new SitemapReader([body], SITEMAP_LIMITS), () => {
    const budget = list[turn++ % list.length]
    return budget ?? { maxEntries: 1, maxBytes: 1 }
  })
}

const LOC_CHARACTERS = [...'ab/?&=;#%.<>"\' ]', 'é', '中', '😀', '&amp;', '-->', '?>']
const loc = fc
  .array(fc.constantFrom(...LOC_CHARACTERS), { minLength: 1, maxLength: 20 })
  .map((characters) => `/${characters.join('')}.`)

const page: fc.Arbitrary<UrlsetEntry> = fc.record(
  {
    loc,
    lastmod: fc.option(fc.integer({ min: 0, max: Date.UTC(2100) })),
    changefreq: fc.option(fc.constantFrom(...CHANGEFREQS)),
    priority: fc.option(fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)),
  },
  { noNullPrototype: true },
)

test(`what is written is read, whatever the noise and the slices (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.array(page), noise, budgets, (pages, choices, list) => {
      const body = Buffer.from(writeUrlset(pages, choices))
      const { kind, entries } = readSliced(body, list)
      assert.equal(kind, 'urlset')
      assert.deepEqual(entries, pages)
    }),
    { seed, numRuns: 1000 },
  )
})

const PIECES = [
  '<urlset>',
  '<url>',
  '</url>',
  '<url/>',
  '<loc>',
  '</loc>',
  '<x:loc>',
  '<lastmod>',
  '<image>',
  '</image>',
  '</urlset>',
  '<![CDATA[',
  ']]>',
  ']]',
  '<!--',
  '-->',
  '--',
  '<?',
  '?>',
  '<?xml ',
  '<!DOCTYPE x [',
  ']>',
  '<!',
  '<',
  '>',
  '"',
  "'",
  '&amp;',
  '&',
  '#x26;',
  'http://a/',
  '\n',
  ' ',
  '/a',
  '2024',
  '=',
  '<rss>',
  '<feed>',
  '<item>',
  '<entry>',
  '<link>',
  '<guid isPermaLink="',
  '<link href="',
  'é',
  '😀',
  '\uFEFF',
]
const bytes = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PIECES).map((piece) => Buffer.from(piece)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }).map((array) => Buffer.from(array)) },
)
const start = fc.constantFrom('', '<urlset><url><loc>', '<rss><item>', '<feed><entry>', 'http://a/\n', '\uFEFF')

test(`any bytes are read alike in slices of any size (seed ${seed})`, () => {
  fc.assert(
    fc.property(start, fc.array(bytes, { maxLength: 60 }), budgets, (first, rest, list) => {
      const text = Buffer.concat([Buffer.from(first), ...rest])
      for (const body of [text, Buffer.from(`\uFEFF${text.toString()}`, 'utf16le')]) {
        assert.deepEqual(readSliced(body, list), readWholeSitemap(body))
      }
    }),
    { seed, numRuns: 3000 },
  )
})
