// Removing a crawl deletes everything it has, and nothing of other crawls.

import assert from 'node:assert/strict'
import { hashOf } from './testing/page-visits.ts'
import { positionAt, type RetentionCase } from './testing/retention-harness.ts'
import { foundUrl, only } from './testing/store-harness.ts'

export const REMOVE_CASES: Record<string, RetentionCase> = {
  'a removed crawl is gone with its URLs, and other crawls are unchanged': async (b) => {
    const links = { 'a/1': ['a/2', 'b/1'], 'b/1': ['a/1'] }
    const { id: kept } = await b.start(['a/1'])
    await b.crawlAll(links)
    const { id: doomed } = await b.start(['a/1'])
    await b.crawlAll(links)
    await b.remove(doomed)
    await assert.rejects(b.store.crawls.find(doomed), { code: 'CRAWL_NOT_FOUND' })
    await assert.rejects(b.store.control.remove(doomed), { code: 'CRAWL_NOT_FOUND' })
    assert.deepEqual(
      (await b.store.crawls.list()).map(({ crawl }) => crawl.id),
      [kept],
    )
    b.crawl = await b.store.crawls.find(kept)
    assert.equal((await b.progress()).ledger.visited, 3)
    assert.equal((await b.rows()).length, 3)
    assert.equal((await Array.fromAsync(b.store.urls.edges(kept))).length, 3)
  },

  'a crawl that reuses the row of a removed one knows nothing of it': async (b) => {
    await b.start(['a/1'], { maxDepth: 0 })
    await b.commit([], { rejected: { scope: 3 } })
    const lease = only((await b.lease()).leases)
    const held = { pattern: 'a.test/*', found: [foundUrl('a/9')] }
    const report = {
      ...b.visitedReport(lease, only(lease.urls), ['a/2']),
      traps: { skeletons: [1, 2], held, lines: [3] },
    }
    await b.commit([report], { release: [lease.token] })
    await b.crawlAll({})
    await b.store.control.blockHost(b.crawlId, 'b.test')
    await b.remove(b.crawlId)
    await b.start(['a/1', 'b/1'])
    assert.deepEqual((await b.lease({ maxUrls: 0 })).patterns, [])
    assert.deepEqual((await b.progress()).rejected, {})
    assert.deepEqual((await b.crawlAll({ 'a/1': ['a/2'] })).sort(), ['a/1', 'a/2', 'b/1'])
  },

  'documents of external crawlers are deleted with their crawl': async (b) => {
    const { id } = await b.start(['a/1'])
    await b.crawlAll({})
    const place = { crawlId: id, urlId: 1, attempts: 1 }
    await b.store.access.external.saveDocument(place, '{}', b.store.clock.now())
    await b.remove(id)
    assert.equal(await b.store.access.external.findDocument(place), null)
    b.crawl = null
  },

  'a running crawl is not removed': async (b) => {
    await b.start(['a/1'])
    await assert.rejects(b.store.control.remove(b.crawlId), { code: 'CRAWL_RUNNING' })
    const lease = only((await b.lease()).leases)
    await b.store.crawls.setPaused(b.crawlId, true)
    await assert.rejects(b.store.control.remove(b.crawlId), { code: 'CRAWL_RUNNING' })
    await b.commit([], { release: [lease.token] })
    await b.remove(b.crawlId)
    assert.deepEqual(await b.store.crawls.list(), [])
    b.crawl = null
  },

  'a crawl whose workers are gone can be removed once their leases have expired': async (b) => {
    await b.start(['a/1'])
    await b.lease()
    await b.store.crawls.setPaused(b.crawlId, true)
    b.store.clock.advance(b.store.leaseMs)
    await b.remove(b.crawlId)
    assert.deepEqual(await b.store.crawls.list(), [])
    b.crawl = null
  },

  'a worker of a removed crawl gets a not-found error': async (b) => {
    await b.start(['a/1'])
    await b.store.crawls.setPaused(b.crawlId, true)
    await b.remove(b.crawlId)
    await assert.rejects(b.lease(), { code: 'CRAWL_NOT_FOUND' })
    await assert.rejects(b.commit([], { found: [foundUrl('a/2')] }), { code: 'CRAWL_NOT_FOUND' })
    b.crawl = null
  },

  'its pages are deleted like expired ones': async (b) => {
    await b.visit('a/1', positionAt('s', 0))
    await b.remove(b.crawlId)
    b.crawl = null
    assert.deepEqual(await b.versions('a/1'), [])
    assert.equal(await b.sweep(), 1)
    assert.deepEqual(await b.listCompactable(), ['s 10 empty'])
  },

  'a payload used by another crawl stays, and is known by its URL': async (b) => {
    await b.visit('a/1', positionAt('s', 0))
    const { id: doomed } = await b.store.crawls.find(b.crawlId)
    const { clock } = b.store
    const fetchedAt = clock.now()
    clock.advance(1000)
    await b.visit('b/1', positionAt('t', 0), { hasPayload: false }, null)
    await b.remove(doomed)
    assert.equal(await b.sweep(), 0)
    b.store = await b.store.reopen()
    assert.deepEqual(only(await b.versions('b/1')).payload, positionAt('s', 0))
    const [known] = await b.store.contents.find([{ url: 'http://c.test/', digest: hashOf(1), fingerprint: null }])
    assert.deepEqual(known?.sameAs, { url: 'http://a.test/1', fetchedAt })
    await b.visit('c/1', positionAt('t', 20), { hasPayload: false }, null)
    assert.deepEqual(only(await b.versions('c/1')).payload, positionAt('s', 0))
  },

  'ids of deleted pages are not reused': async (b) => {
    await b.visit('a/1', positionAt('s', 0))
    const { id } = only(await b.versions('a/1'))
    await b.remove(b.crawlId)
    b.store = await b.store.reopen()
    await b.visit('a/1', positionAt('s', 20))
    assert.ok(only(await b.versions('a/1')).id > id)
  },

  'a removed crawl is gone at once, and its rows are deleted in batches': async (b) => {
    const many = Array.from({ length: 2500 }, (_, i) => `a/${i}`)
    const { id } = await b.start(['a/1'])
    await b.crawlAll({ 'a/1': many })
    await b.store.control.remove(id)
    await assert.rejects(b.store.crawls.find(id), { code: 'CRAWL_NOT_FOUND' })
    await assert.rejects(b.store.crawls.progress(id), { code: 'CRAWL_NOT_FOUND' })
    assert.deepEqual(await b.store.crawls.list(), [])
    assert.equal((await Array.fromAsync(b.store.urls.rows(id))).length, 2500)
    assert.equal(await b.store.control.removeNextBatch(), true)
    const left = (await Array.fromAsync(b.store.urls.rows(id))).length
    assert.ok(left > 0 && left < 2500, String(left))
    while (await b.store.control.removeNextBatch());
    assert.equal(await b.store.control.removeNextBatch(), false)
    b.crawl = null
  },

  'a removal interrupted by a crash continues, and nothing else is harmed': async (b) => {
    const { id: kept } = await b.start(['a/1'])
    await b.crawlAll({ 'a/1': ['b/1'] })
    const many = Array.from({ length: 2500 }, (_, i) => `a/${i}`)
    const { id: doomed } = await b.start(['a/1', 'c/1'])
    await b.crawlAll({ 'a/1': many })
    await b.store.control.remove(doomed)
    await b.store.control.removeNextBatch()
    b.store = await b.store.reopen()
    assert.deepEqual(await b.store.urls.audit(doomed), [])
    await assert.rejects(b.store.crawls.find(doomed), { code: 'CRAWL_NOT_FOUND' })
    while (await b.store.control.removeNextBatch());
    await assert.rejects(b.store.control.remove(doomed), { code: 'CRAWL_NOT_FOUND' })
    b.crawl = await b.store.crawls.find(kept)
    assert.equal((await b.rows()).length, 2)
  },
}
