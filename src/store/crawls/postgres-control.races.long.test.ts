// A crawl that is changed at the very moment at which another process goes by what it was.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { foundUrl, leaseOn, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeWorker, openTwoStores, readStates } from '../testing/two-stores.ts'

/** Holds locks until they are let go. */
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
    /** Somebody waits for what is held here. */
    async isWaitedFor() {
      const waiting = 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
      while ((await client.query(waiting)).rows.length === 0) await sleep(5)
    },
  }
}

describe('a change at the same moment', () => {
  it('of the limit of pages counts for what is on its way', async (t) => {
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

  it('that releases a host counts for what is found there', async (t) => {
    const [here, there] = await openTwoStores(t)
    const { id } = await here.crawls.create({ seeds: [foundUrl('a/0')], settings: TEST_SETTINGS, keySeed: 1 })
    await here.control.blockHost(id, 'b.test')
    const worker = makeWorker(there, id)
    const lease = only(await worker.lease())
    await here.control.unblockHost(id, 'b.test')
    await worker.visit(lease, ['b/1'])
    assert.deepEqual(await readStates(here, id), { 'a/0': 'visited', 'b/1': 'queued' })
  })

  it('that releases a host ends nothing of it', async (t) => {
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
    // Whoever asks for work has looked at the crawl, and waits before it looks at the urls.
    await other.query(`update urls set state = 2, reason = null where reason = 'blocked_host'`)
    await other.query(`update counters set open = open + 1, excluded = excluded - 1
      where ctid = (select ctid from counters limit 1)`)
    await other.hold('lock table urls in access exclusive mode')
    const asked = worker.lease()
    await other.isWaitedFor()
    await other.query('delete from blocked_hosts')
    await other.query('update crawls set version = version + 1')
    await other.letGo()
    await asked
    assert.notEqual((await readStates(here, id))['b/0'], 'blocked_host')
    await worker.visit(lease, [])
  })

  it('that raises the limit of depth ends nothing that it lets in', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const seeds = [foundUrl('a/0'), foundUrl('b/0')]
    const { id } = await here.crawls.create({ seeds, settings: TEST_SETTINGS, keySeed: 1 })
    const worker = makeWorker(there, id)
    const leases = await worker.lease()
    await worker.visit(leaseOn(leases, 'a.test'), ['c/1'])
    await here.control.changeSettings(id, { maxDepth: 0 })
    const other = await holder(t, url)
    // It has looked at the settings by then.
    await other.hold('lock table patterns in access exclusive mode')
    const asked = worker.lease()
    await other.isWaitedFor()
    await here.control.changeSettings(id, { maxDepth: 1 })
    await other.letGo()
    assert.equal(only(await asked).host, 'c.test')
    assert.deepEqual(await here.urls.audit(id), [])
  })

  it('lets nothing into a crawl that has just ended', async (t) => {
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
    // A change of the limit for hosts waits for this row, when what was too deep is on its way already.
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
    assert.deepEqual(await here.urls.audit(id), [])
  })

  it('that removes the crawl lets nothing more into it', async (t) => {
    const [here, there, { url }] = await openTwoStores(t)
    const { id } = await here.crawls.create({ seeds: [foundUrl('a/0')], settings: TEST_SETTINGS, keySeed: 1 })
    await here.crawls.setPaused(id, true)
    const other = await holder(t, url)
    await here.control.remove(id)
    const lists = { visits: [], found: [foundUrl('a/1')], hosts: [], samples: [], release: [] }
    const batch = { crawlId: id, workerId: 'w', ...lists, linkKeys: new Uint8Array(0), rejected: {}, bytes: 0 }
    await assert.rejects(there.frontier.commit(batch), { code: 'CRAWL_NOT_FOUND' })
    while (await there.control.removeNextBatch());
    for (const table of ['urls', 'queues', 'counters', 'leases']) {
      assert.deepEqual((await other.query(`select * from ${table}`)).rows, [], table)
    }
  })
})
