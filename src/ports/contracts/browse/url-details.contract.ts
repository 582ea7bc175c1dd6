// The details of one URL, compared with the edges of the whole crawl.

import assert from 'node:assert/strict'
import { crawlSite } from '../testing/browse-site.ts'
import { foundUrl, only, type StoreHarness } from '../testing/store-harness.ts'

type Cases = Record<string, (storeHarness: StoreHarness) => Promise<void>>

export const URL_DETAILS_CASES: Cases = {
  async 'every URL has its row, its links and its lineage'(storeHarness) {
    await crawlSite(storeHarness)
    const rows = await storeHarness.rows()
    const edges = (await Array.fromAsync(storeHarness.store.urls.edges(storeHarness.crawlId))).filter(
      ({ from, to }) => from !== to,
    )
    const linkOf = new Map(rows.map(({ id, url, state, title }) => [id, { id, url, state, title }]))
    for (const row of rows) {
      const story = await storeHarness.store.browse.urlDetails(storeHarness.crawlId, row.id)
      assert.ok(story)
      assert.deepEqual(story.row, row)
      const from = edges.filter(({ to }) => to === row.id).map((edge) => linkOf.get(edge.from))
      const to = edges.filter((edge) => edge.from === row.id).map((edge) => linkOf.get(edge.to))
      assert.deepEqual(story.inlinks, { items: from, total: from.length })
      assert.deepEqual(story.outlinks, { items: to, total: to.length })
      const way = story.lineage.map(({ id }) => rows.find((one) => one.id === id)?.discoveredFrom ?? null)
      assert.deepEqual(way, [null, ...story.lineage.slice(0, -1).map(({ id }) => id)])
      assert.equal(story.lineage.at(-1)?.id, row.id)
      assert.equal(story.visits.length, row.attempts)
    }
  },

  async 'every attempt is listed'(storeHarness) {
    await storeHarness.start(['a/1'])
    for (const verdict of [
      { state: 'retry', reason: 'timeout', dueAt: storeHarness.store.clock.now() + 10 },
      { state: 'http_error', reason: 'http_500' },
    ] as const) {
      const lease = only((await storeHarness.lease()).leases)
      await storeHarness.commit([storeHarness.endedReport(lease, only(lease.urls), verdict)], {
        release: [lease.token],
      })
      const requeued = await storeHarness.store.browse.requeuedCount(storeHarness.crawlId)
      assert.equal(requeued, verdict.state === 'retry' ? 1 : 0)
      storeHarness.store.clock.advance(1000)
    }
    assert.equal(await storeHarness.store.browse.requeuedCount(storeHarness.crawlId), 0)
    const { id } = only(await storeHarness.rows())
    const story = await storeHarness.store.browse.urlDetails(storeHarness.crawlId, id)
    assert.deepEqual(
      story?.visits.map(({ attempt, state, reason, httpStatus }) => [attempt, state, reason, httpStatus]),
      [
        [1, 'retry', 'timeout', 500],
        [2, 'http_error', 'http_500', 500],
      ],
    )
    const { attempt, state, reason, ...facts } = story?.visits[1] ?? {}
    assert.deepEqual(facts, {
      httpStatus: 500,
      contentType: 'text/html',
      contentLength: 10,
      fetchMs: 5,
      processingMs: 3,
      visitedBy: 'w',
      ip: '192.0.2.1',
      proxy: 'http://proxy.test:3128',
      redirectTo: null,
      visitedAt: storeHarness.store.clock.now() - 1000,
    })
  },

  async 'a URL is found by its canonical form, and an unknown one is not'(storeHarness) {
    await crawlSite(storeHarness)
    for (const name of ['a/', 'b/data_1']) {
      const id = await storeHarness.store.browse.findUrl(storeHarness.crawlId, foundUrl(name))
      assert.equal((await storeHarness.rows()).find((row) => row.id === id)?.url, foundUrl(name).url)
    }
    assert.equal(await storeHarness.store.browse.findUrl(storeHarness.crawlId, foundUrl('a/never')), null)
    const sameKey = { ...foundUrl('a/'), url: 'http://c.test/' }
    assert.equal(await storeHarness.store.browse.findUrl(storeHarness.crawlId, sameKey), null)
  },

  async 'redirects and the number of links are read for many URLs at once'(storeHarness) {
    await crawlSite(storeHarness)
    const { store, crawlId } = storeHarness
    const rows = await storeHarness.rows()
    const keyed = rows.map(({ url }) => foundUrl(url.replace('http://', '').replace('.test', '')))
    const redirects = rows.filter(({ redirectTo }) => redirectTo !== null)
    assert.ok(redirects.length > 0)
    assert.deepEqual(
      await store.browse.redirectTargets(crawlId, keyed),
      new Map(redirects.map(({ url, redirectTo }) => [url, redirectTo])),
    )
    const sameKey = keyed.map((url) => ({ ...url, url: 'http://c.test/' }))
    assert.equal((await store.browse.redirectTargets(crawlId, sameKey)).size, 0)
    const counts = await store.browse.linkCounts(
      crawlId,
      rows.map(({ id }) => id),
    )
    for (const { id } of rows) {
      const details = await store.browse.urlDetails(crawlId, id)
      const selfLinks = (counts.get(id) ?? 0) - (details?.outlinks.total ?? 0)
      assert.ok(selfLinks === 0 || selfLinks === 1)
    }
  },

  async 'another crawl has none of its URLs'(storeHarness) {
    await crawlSite(storeHarness)
    const [first] = await storeHarness.rows()
    assert.ok(first)
    await storeHarness.start(['a/'])
    assert.equal(await storeHarness.store.browse.urlDetails(storeHarness.crawlId, first.id), null)
    assert.equal(await storeHarness.store.browse.urlDetails(storeHarness.crawlId, 999_999), null)
  },

  async 'of a lineage of more than a hundred steps the last ones are returned'(storeHarness) {
    const links = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`a/${i}`, [`a/${i + 1}`]]))
    await storeHarness.start(['a/0'])
    await storeHarness.crawlAll(links)
    const last = (await storeHarness.rows()).at(-1)
    assert.ok(last)
    const story = await storeHarness.store.browse.urlDetails(storeHarness.crawlId, last.id)
    assert.equal(story?.lineage.length, 100)
    assert.deepEqual([story?.lineage[0]?.url, story?.lineage.at(-1)?.url], ['http://a.test/21', 'http://a.test/120'])
  },
}
