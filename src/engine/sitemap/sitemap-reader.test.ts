import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SITEMAP_LIMITS } from './sitemap-entry.ts'
import { SitemapReader } from './sitemap-reader.ts'

function urlset(count: number): Buffer {
  const pages = Array.from({ length: count }, (_, n) => `<url><loc>/${n}</loc></url>`)
  return Buffer.from(`<urlset>${pages.join('')}</urlset>`)
}

describe('reading in slices', () => {
  it('returns no more entries than requested, and all of them in the end', () => {
    const reader = new SitemapReader([urlset(10)], SITEMAP_LIMITS)
    const batches: string[] = []
    while (!reader.isDone) {
      const batch = reader.next({ maxEntries: 4, maxBytes: 1000 })
      batches.push(batch.map((entry) => entry.loc).join(' '))
    }
    assert.deepEqual(batches, ['/0 /1 /2 /3', '/4 /5 /6 /7', '/8 /9'])
    assert.deepEqual(reader.next({ maxEntries: 4, maxBytes: 1000 }), [])
  })

  it('reads no more bytes than requested', () => {
    const reader = new SitemapReader([urlset(10)], SITEMAP_LIMITS)
    const first = '<urlset><url><loc>/0</loc></url>'.length
    assert.deepEqual(reader.next({ maxEntries: 10, maxBytes: first - 1 }), [])
    assert.equal(reader.isDone, false)
    assert.equal(reader.next({ maxEntries: 10, maxBytes: 1 }).length, 1)
    assert.equal(reader.kind, 'urlset')
  })

  it('stops at the entry limit, and reports it', () => {
    const reader = new SitemapReader([urlset(6)], { maxEntries: 5 })
    assert.equal(reader.next({ maxEntries: 5, maxBytes: 1000 }).length, 5)
    assert.deepEqual(reader.next({ maxEntries: 5, maxBytes: 1000 }), [])
    assert.ok(reader.isDone)
    assert.equal(reader.truncatedBy, 'entries')
  })

  it('reports nothing if the entries end exactly at the limit', () => {
    const reader = new SitemapReader([urlset(5)], { maxEntries: 5 })
    assert.equal(reader.next({ maxEntries: 10, maxBytes: 1000 }).length, 5)
    assert.ok(reader.isDone)
    assert.equal(reader.truncatedBy, null)
  })

  it('stops reading once it knows that the file is something else', () => {
    const reader = new SitemapReader([Buffer.from(`<html>${' '.repeat(1000)}`)], SITEMAP_LIMITS)
    assert.deepEqual(reader.next({ maxEntries: 1, maxBytes: 10 }), [])
    assert.ok(reader.isDone)
    assert.equal(reader.kind, 'unknown')
  })

  it('continues across chunks that split characters and tags', () => {
    const body = Buffer.from('<urlset><url><loc>/é😀</loc></url></urlset>')
    const chunks = Array.from(body, (_, at) => body.subarray(at, at + 1))
    const reader = new SitemapReader([Buffer.alloc(0), ...chunks], SITEMAP_LIMITS)
    assert.equal(reader.next({ maxEntries: 1, maxBytes: 1000 })[0]?.loc, '/é😀')
  })
})
