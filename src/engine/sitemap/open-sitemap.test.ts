import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type OpenedSitemap, openSitemap } from './open-sitemap.ts'
import { SITEMAP_LIMITS, type SitemapLimits } from './sitemap-entry.ts'
import { withLoc } from './testing/read-both-ways.ts'
import { readAll } from './testing/read-whole-sitemap.ts'

const PAGE = Buffer.from(withLoc('/a'))

function open(body: Buffer, limits: Partial<SitemapLimits> = {}, truncated = false): Promise<OpenedSitemap> {
  return new Promise((resolve) => openSitemap({ body, truncated }, { ...SITEMAP_LIMITS, ...limits }, resolve))
}

async function locsOf(body: Buffer): Promise<string[]> {
  return locsIn(await open(body))
}

function locsIn(opened: OpenedSitemap): string[] {
  if ('problem' in opened) assert.fail(opened.problem)
  return readAll(opened, () => ({ maxEntries: 10, maxBytes: 1000 })).entries.map((entry) => entry.loc)
}

describe('opening a sitemap', () => {
  it('accepts bytes as they are, or gzipped', async () => {
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

  it('ignores data after gzip', async () => {
    assert.deepEqual(await locsOf(Buffer.concat([gzipSync(PAGE), Buffer.from('and so on')])), ['/a'])
  })

  it('rejects gzip that is broken or truncated', async () => {
    const gzipped = gzipSync(PAGE)
    const flipped = Buffer.from(gzipped)
    flipped[20] = (flipped[20] ?? 0) ^ 0xff
    const cuts = [2, 20, gzipped.length - 1].map((length) => gzipped.subarray(0, length))
    for (const body of [...cuts, flipped]) {
      assert.deepEqual(await open(body), { problem: 'sitemap_gzip_invalid' })
    }
  })

  it('reads a file up to the limit, packed or not, and reports that there is more', async () => {
    const pages = ['/a', '/b', '/c'].map((loc) => `<url><loc>${loc}</loc></url>`).join('')
    const file = Buffer.from(`<urlset>${pages}</urlset>`)
    for (const body of [file, gzipSync(file)]) {
      const cut = await open(body, { maxBytes: file.indexOf('/c</loc>') + 1 })
      assert.deepEqual(locsIn(cut), ['/a', '/b'])
      assert.ok('isCut' in cut && cut.isCut)
      const whole = await open(body, { maxBytes: file.length })
      assert.deepEqual([locsIn(whole), 'isCut' in whole && whole.isCut], [['/a', '/b', '/c'], false])
    }
  })

  it('reads what arrived of a truncated file, and no half line', async () => {
    const lines = Buffer.from('http://a.test/1\nhttp://a.test/2\nhttp://a.test/')
    const stored = gzipSync(lines, { level: 0 })
    for (const body of [lines, stored.subarray(0, stored.length - 8)]) {
      const opened = await open(body, {}, true)
      assert.deepEqual(locsIn(opened), ['http://a.test/1', 'http://a.test/2'])
      assert.ok('isCut' in opened && opened.isCut)
    }
  })

  it('stops unpacking at the limit', async () => {
    const bomb = Buffer.concat(new Array<Buffer>(1000).fill(gzipSync(Buffer.alloc(1_000_000))))
    const before = process.memoryUsage().arrayBuffers
    const opened = await open(bomb, { maxBytes: 1_000_000 })
    assert.ok('isCut' in opened && opened.isCut)
    assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000)
  })

  it('never calls back synchronously', async () => {
    for (const body of [PAGE, gzipSync(PAGE)]) {
      let hasReturned = false
      await new Promise<void>((resolve) => {
        openSitemap({ body, truncated: false }, SITEMAP_LIMITS, () => {
          assert.ok(hasReturned)
          resolve()
        })
        hasReturned = true
      })
    }
  })
})
