import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SITEMAP_LIMITS, type SitemapLimits } from './entry.ts'
import { withLoc } from './fixture.ts'
import { type OpenedSitemap, openSitemap } from './open.ts'
import { readAll } from './read-whole-sitemap.ts'

const PAGE = Buffer.from(withLoc('/a'))

function open(body: Buffer, limits: Partial<SitemapLimits> = {}): Promise<OpenedSitemap> {
  return new Promise((resolve) => openSitemap(body, { ...SITEMAP_LIMITS, ...limits }, resolve))
}

async function locsOf(body: Buffer): Promise<string[]> {
  const opened = await open(body)
  if ('problem' in opened) assert.fail(opened.problem)
  return readAll(opened, () => ({ maxEntries: 10, maxBytes: 1000 })).entries.map((entry) => entry.loc)
}

describe('opening a sitemap', () => {
  it('takes bytes as they are, or gzipped', async () => {
    assert.deepEqual(await locsOf(PAGE), ['/a'])
    assert.deepEqual(await locsOf(gzipSync(PAGE)), ['/a'])
    assert.deepEqual(await locsOf(Buffer.alloc(0)), [])
  })

  it('reads every member of a gzip file, and ignores zeros after the last', async () => {
    const pages = '<url><loc>/a</loc></url>'.repeat(10_000)
    const members = ['<urlset>', pages, '', pages, '<url><loc>/b</loc></url>'].map((member) => gzipSync(member))
    const locs = await locsOf(Buffer.concat([...members, Buffer.alloc(512)]))
    assert.equal(locs.length, 20_001)
    assert.equal(locs.at(-1), '/b')
  })

  it('refuses gzip that is broken, cut or followed by something else', async () => {
    const gzipped = gzipSync(PAGE)
    const flipped = Buffer.from(gzipped)
    flipped[20] = (flipped[20] ?? 0) ^ 0xff
    const cuts = [2, 20, gzipped.length - 1].map((length) => gzipped.subarray(0, length))
    for (const body of [...cuts, flipped, Buffer.concat([gzipped, Buffer.from('and so on')])]) {
      assert.deepEqual(await open(body), { problem: 'sitemap_gzip_invalid' })
    }
  })

  it('refuses more bytes than the limit, packed or not', async () => {
    const limits = { maxBytes: PAGE.length - 1 }
    assert.deepEqual(await open(PAGE, limits), { problem: 'sitemap_too_large' })
    assert.deepEqual(await open(gzipSync(PAGE), limits), { problem: 'sitemap_too_large' })
    assert.ok(!('problem' in (await open(gzipSync(PAGE), { maxBytes: PAGE.length }))))
  })

  it('stops unpacking at the limit', async () => {
    const bomb = Buffer.concat(new Array<Buffer>(1000).fill(gzipSync(Buffer.alloc(1_000_000))))
    const before = process.memoryUsage().arrayBuffers
    assert.deepEqual(await open(bomb, { maxBytes: 1_000_000 }), { problem: 'sitemap_too_large' })
    assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000)
  })

  it('never calls back before it returns', async () => {
    for (const body of [PAGE, gzipSync(PAGE)]) {
      let hasReturned = false
      await new Promise<void>((resolve) => {
        openSitemap(body, SITEMAP_LIMITS, () => {
          assert.ok(hasReturned)
          resolve()
        })
        hasReturned = true
      })
    }
  })
})
