// A crawl changes at the very moment when another process relies on its old settings.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { foundUrl, leaseOn, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeWorker, openTwoStores, readStates } from '../testing/two-stores.ts'

/** Holds locks until they are released. */
async function holder(t: TestContext, url: string) {
  const client = new pg.Client({ connectionString: url })
  // The database may go first.
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return {
    query: (text: string) => client.query(text),
    async hold(text: string) {
      await client.query('begin')
      await client.query(text)
    },
    letGo: () => client.query('commit'),
    /** Whether another connection is waiting for these locks. */
    async isWaitedFor() {
      const waiting = 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
      while ((await client.query(waiting)).rows.length === 0) await sleep(5)
    },
  }
}

describe('a concurrent change', () => {
  it('of the page limit applies to reports in flight', async (t) => {
    const [here, there] = await openTwoStores(t)
    const settings = { ...TEST_SETTINGS, maxPages: 1 }
    const { id } = await here.crawls.create({ seeds: [foundUrl('a/1'), foundUrl('a/2')], settings, keySeed: 1 })
    const worker = makeWorker(there, id)
    const lease = only(await worker.lease())
    await here.control.changeSettings(id, { maxPages: 2 })
    await worker.visit(lease, [])
    await worker.visit(only(await worker.lease()), [])
    assert.deepEqual(await readStates(here, id), { 'a/1': 'visited', 'a/2': 'visited' })
  })

  it('that unblocks a host applies to URLs found there', async (t) => {
    const [here, there] = await openTwoStores(t)
    const { id } = await here.crawls.create({ seeds: [foundUrl('a/0')], settings: TEST_SETTINGS, keySeed: 1 })
    await here.control.blockHost(id, 'b.test')
    const worker = makeWorker(there, id)
    const lease = only(await worker.lease())
    await here.control.unblockHost(id, 'b.test')
    await worker.visit(lease, ['b/1'])
    assert.deepEqual(await readStates(here, id), { 'a/0': 'visited', 'b/1': 'queued' })
  })

  it('that unblocks a host excludes none of its URLs', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const { id } = await here.crawls.create({
      seeds: [foundUrl('a/0'), foundUrl('b/0')],
      settings: TEST_SETTINGS,
      keySeed: 1,
    })
    await here.control.blockHost(id, 'b.test')
    const worker = makeWorker(there, id)
    const lease = only(await worker.lease())
    const other = await holder(t, url)
    // The lease request has read the crawl, and waits before it reads the URLs.
    await other.query(`update urls set state = 2, reason = null where reason = 'blocked_host'`)
    await other.query(`update counters set open = open + 1, excluded = excluded - 1
      where ctid = (select ctid from counters limit 1)`)
    await other.hold('lock table urls in access exclusive mode')
    const leasing = worker.lease()
    await other.isWaitedFor()
    await other.query('delete from blocked_hosts')
    await other.query('update crawls set version = version + 1')
    await other.letGo()
    await leasing
    assert.notEqual((await readStates(here, id))['b/0'], 'blocked_host')
    await worker.visit(lease, [])
  })

  it('that raises the depth limit excludes nothing that it admits', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const seeds = [foundUrl('a/0'), foundUrl('b/0')]
    const { id } = await here.crawls.create({ seeds, settings: TEST_SETTINGS, keySeed: 1 })
    const worker = makeWorker(there, id)
    const leases = await worker.lease()
    await worker.visit(leaseOn(leases, 'a.test'), ['c/1'])
    await here.control.changeSettings(id, { maxDepth: 0 })
    const other = await holder(t, url)
    // The other process has read the settings by then.
    await other.hold('lock table patterns in access exclusive mode')
    const leasing = worker.lease()
    await other.isWaitedFor()
    await here.control.changeSettings(id, { maxDepth: 1 })
    await other.letGo()
    assert.equal(only(await leasing).host, 'c.test')
    assert.deepEqual(await here.urls.verify(id), [])
  })

  it('admits nothing into a crawl that has just ended', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const seeds = [foundUrl('a/0'), foundUrl('b/0')]
    const { id } = await here.crawls.create({ seeds, settings: { ...TEST_SETTINGS, perHost: 1 }, keySeed: 1 })
    const worker = makeWorker(there, id)
    const leases = await worker.lease()
    await worker.visit(leaseOn(leases, 'a.test'), ['a/1'])
    await worker.visit(only(await worker.lease()), ['a/2'])
    await here.control.changeSettings(id, { maxDepth: 1 })
    assert.deepEqual(await worker.lease(), [])
    const other = await holder(t, url)
    // A change of the host limit waits for this row after it has requeued deep URLs.
    await other.query('insert into queues (crawl, host, rank, due_at, by_host) select id, 0, 1, 0, true from crawls')
    await other.hold('select 1 from queues where host = 0 for update')
    const changed = here.control.changeSettings(id, { maxDepth: 2, perHost: 2 })
    await other.isWaitedFor()
    await worker.visit(leaseOn(leases, 'b.test'), [])
    assert.equal((await here.crawls.find(id)).status, 'completed')
    await other.letGo()
    assert.equal((await changed).settings.maxDepth, 2)
    const visited = { 'a/0': 'visited', 'a/1': 'visited', 'b/0': 'visited' }
    assert.deepEqual(await readStates(here, id), { ...visited, 'a/2': 'depth' })
    assert.deepEqual(await here.urls.verify(id), [])
  })

  it('that removes the crawl lets no more URLs into it', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const { id } = await here.crawls.create({ seeds: [foundUrl('a/0')], settings: TEST_SETTINGS, keySeed: 1 })
    await here.crawls.setPaused(id, true)
    const other = await holder(t, url)
    await here.control.remove(id)
    const lists = { visits: [], found: [foundUrl('a/1')], hosts: [], samples: [], release: [] }
    const batch = {
      crawlId: id,
      threadId: 'w',
      ...lists,
      linkKeys: new Uint8Array(0),
      rejected: {},
      requests: {},
      subresources: [],
      bytes: 0,
    }
    await assert.rejects(there.frontier.commit(batch), { code: 'CRAWL_NOT_FOUND' })
    while (await there.control.removeNextBatch());
    for (const table of ['urls', 'queues', 'counters', 'leases']) {
      assert.deepEqual((await other.query(`select * from ${table}`)).rows, [], table)
    }
  })
})
