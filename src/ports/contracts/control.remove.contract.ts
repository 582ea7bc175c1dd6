// Removing a crawl deletes everything it has, and nothing of other crawls.

import assert from 'node:assert/strict'
import { hashOf } from './testing/page-visits.ts'
import { positionAt, type RetentionCase } from './testing/retention-harness.ts'
import { foundUrl, only } from './testing/store-harness.ts'

export const REMOVE_CASES: Record<string, RetentionCase> = {
  'a removed crawl is gone with its URLs, and other crawls are unchanged': async (harness) => {
    const links = { 'a/1': ['a/2', 'b/1'], 'b/1': ['a/1'] }
    const { id: kept } = await harness.start(['a/1'])
    await harness.crawlAll(links)
    const { id: doomed } = await harness.start(['a/1'])
    await harness.crawlAll(links)
    await harness.remove(doomed)
    await assert.rejects(harness.store.crawls.find(doomed), { code: 'CRAWL_NOT_FOUND' })
    await assert.rejects(harness.store.control.remove(doomed), { code: 'CRAWL_NOT_FOUND' })
    assert.deepEqual(
      (await harness.store.crawls.list()).map(({ crawl }) => crawl.id),
      [kept],
    )
    harness.crawl = await harness.store.crawls.find(kept)
    assert.equal((await harness.progress()).ledger.visited, 3)
    assert.equal((await harness.rows()).length, 3)
    assert.equal((await Array.fromAsync(harness.store.urls.edges(kept))).length, 3)
  },

  'a crawl that reuses the row of a removed one knows nothing of it': async (harness) => {
    await harness.start(['a/1'], { maxDepth: 0 })
    await harness.commit([], { rejected: { scope: 3 } })
    const lease = only((await harness.lease()).leases)
    const held = { pattern: 'a.test/*', found: [foundUrl('a/9')] }
    const report = {
      ...harness.visitedReport(lease, only(lease.urls), ['a/2']),
      traps: { skeletons: [1, 2], held, hasEndlessPaths: false, lineHashes: [3] },
    }
    await harness.commit([report], { release: [lease.token] })
    await harness.crawlAll({})
    await harness.store.control.blockHost(harness.crawlId, 'b.test')
    await harness.remove(harness.crawlId)
    await harness.start(['a/1', 'b/1'])
    assert.deepEqual((await harness.lease({ maxUrls: 0 })).patterns, [])
    assert.deepEqual((await harness.progress()).rejected, {})
    assert.deepEqual((await harness.crawlAll({ 'a/1': ['a/2'] })).sort(), ['a/1', 'a/2', 'b/1'])
  },

  'documents of external crawlers are deleted with their crawl': async (harness) => {
    const { id } = await harness.start(['a/1'])
    await harness.crawlAll({})
    const place = { crawlId: id, urlId: 1, attempts: 1 }
    await harness.store.access.external.saveDocument(place, '{}', harness.store.clock.now())
    await harness.remove(id)
    assert.equal(await harness.store.access.external.findDocument(place), null)
    harness.crawl = null
  },

  'a running crawl is not removed': async (harness) => {
    await harness.start(['a/1'])
    await assert.rejects(harness.store.control.remove(harness.crawlId), { code: 'CRAWL_RUNNING' })
    const lease = only((await harness.lease()).leases)
    await harness.store.crawls.setPaused(harness.crawlId, true)
    await assert.rejects(harness.store.control.remove(harness.crawlId), { code: 'CRAWL_RUNNING' })
    await harness.commit([], { release: [lease.token] })
    await harness.remove(harness.crawlId)
    assert.deepEqual(await harness.store.crawls.list(), [])
    harness.crawl = null
  },

  'a crawl whose workers are gone can be removed once their leases have expired': async (harness) => {
    await harness.start(['a/1'])
    await harness.lease()
    await harness.store.crawls.setPaused(harness.crawlId, true)
    harness.store.clock.advance(harness.store.leaseMs)
    await harness.remove(harness.crawlId)
    assert.deepEqual(await harness.store.crawls.list(), [])
    harness.crawl = null
  },

  'a worker of a removed crawl gets a not-found error': async (harness) => {
    await harness.start(['a/1'])
    await harness.store.crawls.setPaused(harness.crawlId, true)
    await harness.remove(harness.crawlId)
    await assert.rejects(harness.lease(), { code: 'CRAWL_NOT_FOUND' })
    await assert.rejects(harness.commit([], { found: [foundUrl('a/2')] }), { code: 'CRAWL_NOT_FOUND' })
    harness.crawl = null
  },

  'its pages are deleted like expired ones': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.remove(harness.crawlId)
    harness.crawl = null
    assert.deepEqual(await harness.versions('a/1'), [])
    assert.equal(await harness.sweep(), 1)
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty'])
  },

  'a payload used by another crawl stays, and is known by its URL': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    const { id: doomed } = await harness.store.crawls.find(harness.crawlId)
    const { clock } = harness.store
    const fetchedAt = clock.now()
    clock.advance(1000)
    await harness.visit('b/1', positionAt('t', 0), { hasPayload: false }, null)
    await harness.remove(doomed)
    assert.equal(await harness.sweep(), 0)
    harness.store = await harness.store.reopen()
    assert.deepEqual(only(await harness.versions('b/1')).payload, positionAt('s', 0))
    const [known] = await harness.store.contents.find([{ url: 'http://c.test/', digest: hashOf(1), fingerprint: null }])
    assert.deepEqual(known?.sameAs, { url: 'http://a.test/1', fetchedAt })
    await harness.visit('c/1', positionAt('t', 20), { hasPayload: false }, null)
    assert.deepEqual(only(await harness.versions('c/1')).payload, positionAt('s', 0))
  },

  'ids of deleted pages are not reused': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    const { id } = only(await harness.versions('a/1'))
    await harness.remove(harness.crawlId)
    harness.store = await harness.store.reopen()
    await harness.visit('a/1', positionAt('s', 20))
    assert.ok(only(await harness.versions('a/1')).id > id)
  },

  'a removed crawl is gone at once, and its rows are deleted in batches': async (harness) => {
    const many = Array.from({ length: 2500 }, (_, i) => `a/${i}`)
    const { id } = await harness.start(['a/1'])
    await harness.crawlAll({ 'a/1': many })
    await harness.store.control.remove(id)
    await assert.rejects(harness.store.crawls.find(id), { code: 'CRAWL_NOT_FOUND' })
    await assert.rejects(harness.store.crawls.progress(id), { code: 'CRAWL_NOT_FOUND' })
    assert.deepEqual(await harness.store.crawls.list(), [])
    assert.equal((await Array.fromAsync(harness.store.urls.rows(id))).length, 2500)
    assert.equal(await harness.store.control.removeNextBatch(), true)
    const left = (await Array.fromAsync(harness.store.urls.rows(id))).length
    assert.ok(left > 0 && left < 2500, String(left))
    while (await harness.store.control.removeNextBatch());
    assert.equal(await harness.store.control.removeNextBatch(), false)
    harness.crawl = null
  },

  'a removal interrupted by a crash continues, and nothing else is harmed': async (harness) => {
    const { id: kept } = await harness.start(['a/1'])
    await harness.crawlAll({ 'a/1': ['b/1'] })
    const many = Array.from({ length: 2500 }, (_, i) => `a/${i}`)
    const { id: doomed } = await harness.start(['a/1', 'c/1'])
    await harness.crawlAll({ 'a/1': many })
    await harness.store.control.remove(doomed)
    await harness.store.control.removeNextBatch()
    harness.store = await harness.store.reopen()
    assert.deepEqual(await harness.store.urls.verify(doomed), [])
    await assert.rejects(harness.store.crawls.find(doomed), { code: 'CRAWL_NOT_FOUND' })
    while (await harness.store.control.removeNextBatch());
    await assert.rejects(harness.store.control.remove(doomed), { code: 'CRAWL_NOT_FOUND' })
    harness.crawl = await harness.store.crawls.find(kept)
    assert.equal((await harness.rows()).length, 2)
  },
}
