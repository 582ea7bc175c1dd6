// The site by path, one level at a time.

import assert from 'node:assert/strict'
import { crawlSite } from '../testing/browse-site.ts'
import type { StoreHarness } from '../testing/store-harness.ts'

type Cases = Record<string, (storeHarness: StoreHarness) => Promise<void>>

function folders(storeHarness: StoreHarness, under: string | null, limit = 100) {
  return storeHarness.store.browse.folders(storeHarness.crawlId, { under, limit })
}

export const FOLDER_CASES: Cases = {
  async 'the first level is hosts, with the folders below them'(storeHarness) {
    await storeHarness.start(['a/', 'a/x/1', 'a/x/p/q/1', 'a/x/p/2', 'b/1', 'a/y?q=a/b'])
    const top = await folders(storeHarness, null)
    assert.deepEqual(
      top?.folders.map(({ label, name, urls, folders, children }) => [label, name, urls, folders, children.length]),
      [
        ['a.test', 'a.test', 5, 1, 1],
        ['b.test', 'b.test', 1, 0, 0],
      ],
    )
    assert.deepEqual([top?.label, top?.urls, top?.totalFolders, top?.ownUrls, top?.isComplete], [null, 6, 2, [], true])
    const host = await folders(storeHarness, 'a.test')
    assert.deepEqual(
      host?.folders.map(({ label, urls }) => [label, urls]),
      [['a.test/x', 3]],
    )
    assert.deepEqual(
      host?.ownUrls.map(({ url }) => url),
      ['http://a.test/', 'http://a.test/y?q=a/b'],
    )
    assert.equal(host?.urls, 5)
    const deep = await folders(storeHarness, 'a.test/x')
    assert.deepEqual(
      deep?.folders.map(({ label, urls, children }) => [label, urls, children.map(({ name }) => name)]),
      [['a.test/x/p', 2, ['q']]],
    )
    assert.equal(await folders(storeHarness, 'a.test/none'), null)
    assert.equal(await folders(storeHarness, 'c.test'), null)
  },

  async 'a page with others below it belongs to their folder, whatever was found first'(storeHarness) {
    await storeHarness.start(['a/docs', 'a/docs/install', 'a/blog/1', 'a/blog'])
    const host = await folders(storeHarness, 'a.test')
    assert.deepEqual(
      host?.folders.map(({ name, urls }) => [name, urls]),
      [
        ['docs', 2],
        ['blog', 2],
      ],
    )
    assert.equal(host?.totalOwnUrls, 0)
  },

  async 'the figures of a level are those of its URLs'(storeHarness) {
    await crawlSite(storeHarness)
    const rows = await storeHarness.rows()
    const top = await folders(storeHarness, null)
    const sum = (host: string) => {
      const ofHost = rows.filter(({ url }) => new URL(url).host === host)
      return [ofHost.length, ofHost.reduce((bytes, row) => bytes + (row.contentLength ?? 0), 0)]
    }
    for (const { label, urls, bytes, states } of top?.folders ?? []) {
      assert.deepEqual([urls, bytes], sum(label))
      assert.equal(
        Object.values(states).reduce((total, count) => total + count, 0),
        urls,
      )
    }
    const host = await folders(storeHarness, 'a.test')
    for (const { id, state, bytes, fetchMs } of host?.ownUrls ?? []) {
      const row = rows.find((each) => each.id === id)
      assert.deepEqual([state, bytes, fetchMs], [row?.state, row?.contentLength ?? 0, row?.fetchMs ?? null])
    }
  },

  async 'a limit takes the largest folders and URLs, and the totals count all'(storeHarness) {
    await storeHarness.start(['a/x/1', 'a/y/1', 'a/y/2', 'a/1', 'a/2'])
    const host = await folders(storeHarness, 'a.test', 1)
    assert.deepEqual(
      host?.folders.map(({ name }) => name),
      ['y'],
    )
    assert.deepEqual([host?.totalFolders, host?.ownUrls.length, host?.totalOwnUrls, host?.urls], [2, 1, 2, 5])
  },

  async 'a change of the crawl is seen at once'(storeHarness) {
    await storeHarness.start(['a/1', 'a/2'])
    assert.deepEqual((await folders(storeHarness, null))?.folders[0]?.states, { queued: 2 })
    await storeHarness.store.crawls.close(storeHarness.crawlId, 'cancelled')
    const [host] = (await folders(storeHarness, null))?.folders ?? []
    assert.deepEqual([host?.states, host?.leftOut], [{ excluded: 2 }, 2])
    const { nodes } = await storeHarness.store.browse.graph(storeHarness.crawlId, {
      limit: 10,
      group: 'url',
      by: 'found',
      around: null,
      under: null,
      since: null,
      open: [],
      maxEdges: 0,
    })
    assert.deepEqual(
      nodes.map(({ state, leftOut }) => [state, leftOut]),
      [
        ['excluded', 1],
        ['excluded', 1],
      ],
    )
  },
}
