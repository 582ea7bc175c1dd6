import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../lib/testing/cpu-time.ts'
import { SITEMAP_LIMITS } from './sitemap-entry.ts'
import { SitemapReader } from './sitemap-reader.ts'
import { withLoc } from './testing/read-both-ways.ts'
import { readAll } from './testing/read-whole-sitemap.ts'

// Each file is built to make a careless reader quadratic, overflow its stack or keep too much. The limit is many times
// the measured value.
const LIMIT_MS = 5000
const MB = 1_000_000

function fill(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length))
}

const LAUGHS = Array.from({ length: 20 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`).join('')

const FILES: readonly [fact: string, content: string, entries: number][] = [
  ['a billion laughs', `<!DOCTYPE x [<!ENTITY lol0 "lol">${LAUGHS}]>${withLoc('/&lol20;')}`, 1],
  ['ten megabytes without a tag', fill('x', 10 * MB), 0],
  ['ten megabytes of blanks', `${fill(' ', 10 * MB)}${withLoc('/a')}`, 1],
  ['ten megabytes of blanks in a loc', withLoc(`${fill(' ', 10 * MB)}/a`), 1],
  ['a url of ten megabytes', `http://${fill('x', 10 * MB)}`, 0],
  ['a loc of ten megabytes', withLoc(fill('&amp;', 10 * MB)), 0],
  ['an unterminated loc', `<urlset><url><loc>${fill('x', 5 * MB)}`, 0],
  ['unterminated CDATA', `<urlset><url><loc><![CDATA[${fill(']]', 5 * MB)}`, 0],
  ['many sections of CDATA', `<urlset><url><loc>${fill('<![CDATA[]]>', 2 * MB)}/a</loc>`, 1],
  ['an unterminated comment', `<urlset><!--${fill('--', 5 * MB)}`, 0],
  ['unterminated comments', `<urlset>${fill('<!--', 5 * MB)}`, 0],
  ['an unterminated instruction', `<urlset><?x ${fill('?', 5 * MB)}`, 0],
  ['an unterminated document type', `<!DOCTYPE x [${fill('<!ENTITY a "b">', 5 * MB)}`, 0],
  ['an unterminated tag', `<urlset><url ${fill('a="b" ', 5 * MB)}`, 0],
  ['an unterminated value', `<urlset><url a="${fill('>', 5 * MB)}`, 0],
  ['a name of five megabytes', `<urlset><url><${fill('x', 5 * MB)}><loc>/x</loc></url></urlset>`, 0],
  ['a million nested elements', `<urlset><url>${fill('<a>', 3 * MB)}<loc>/x</loc>`, 0],
  ['ends of elements that are not open', `<urlset><url>${fill('<a>', 1000)}${fill('</b>', 3 * MB)}`, 0],
  ['nested records', `<urlset>${fill('<url>', 3 * MB)}<loc>/a`, 0],
  ['a million empty records', `<urlset>${fill('<url/>', 3 * MB)}`, 0],
  ['opening brackets', `<urlset><url><loc>${fill('<', 5 * MB)}`, 0],
  ['ampersands', `<urlset>${fill(`<url><loc>${'&'.repeat(2000)}</loc></url>`, 5 * MB)}`, 2473],
  ['links of many attributes', `<feed>${fill(`<entry><link ${'a=1 '.repeat(4000)}href="/x"/></entry>`, 5 * MB)}`, 312],
  ['empty lines', `http://a/${fill('\n', 5 * MB)}`, 1],
  ['lines of half urls', fill('http://\nhttp:\n', 2 * MB), 50_000],
]

for (const [fact, content, entries] of FILES) {
  test(`${fact}: read in linear time`, () => {
    const reader = new SitemapReader([Buffer.from(content)], SITEMAP_LIMITS)
    let found = -1
    const tookMs = cpuMs(() => {
      found = readAll(reader, () => ({ maxEntries: 1000, maxBytes: 65_536 })).entries.length
    })
    assert.ok(tookMs < LIMIT_MS, `took ${tookMs.toFixed(0)} ms`)
    assert.equal(found, entries)
  })
}

test('an entity bomb and a reference to a file stay literal', () => {
  const file = `<!DOCTYPE x [<!ENTITY lol0 "lol">${LAUGHS}<!ENTITY f SYSTEM "file:///etc/passwd">]>${withLoc('/&lol20;&f;')}`
  const reader = new SitemapReader([Buffer.from(file)], SITEMAP_LIMITS)
  assert.equal(reader.next({ maxEntries: 1, maxBytes: 65_536 })[0]?.loc, '/&lol20;&f;')
})

test('50,000 URLs are read in far less than three seconds', () => {
  const pages = Array.from(
    { length: 50_000 },
    (_, n) => `<url><loc>https://example.com/page/${n}</loc><lastmod>2024-05-17</lastmod></url>`,
  )
  const file = Buffer.from(`<urlset>${pages.join('\n')}</urlset>`)
  const tookMs = cpuMs(() => {
    const reader = new SitemapReader([file], SITEMAP_LIMITS)
    assert.equal(readAll(reader, () => ({ maxEntries: 1000, maxBytes: 65_536 })).entries.length, 50_000)
  })
  assert.ok(tookMs < 3000, `took ${tookMs.toFixed(0)} ms`)
})
