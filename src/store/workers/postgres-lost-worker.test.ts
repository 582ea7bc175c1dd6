// A worker disconnected in the middle of a transaction keeps its locks until the server gives up on it.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { IDLE_FIGURES } from '../../ports/contracts/testing/idle-figures.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../postgres/store.ts'
import { testOptions } from '../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../testing/test-database.ts'

it('a lost worker is known as such while its locks are still held', async (t) => {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const store = await openStore(database.url, testOptions(clock, { leaseMs: 60_000, random: () => 0.5 }))
  const locker = new pg.Client({ connectionString: database.url })
  t.after(async () => {
    await locker.end()
    await store.close()
    await database.drop()
  })
  await locker.connect()
  const crawl = await store.crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  const about = { id: 'w1', name: 'w1', version: '1', address: null, startedAt: clock.now(), figures: IDLE_FIGURES }
  await store.workers.heartbeat(about)
  const request = { maxUrls: 5, maxHosts: 5, slotsPerHost: 5, topUp: [], patternsVersion: 0 }
  await store.frontier.lease({ ...request, crawlId: crawl.id, threadId: 'w1-0' })
  await locker.query('begin')
  await locker.query('select 1 from hosts for update')
  clock.advance(20_000)
  const taking = store.workers.requeueLost(15_000)
  while ((await store.workers.list())[0]?.state !== 'lost') await sleep(10)
  await locker.query('rollback')
  assert.deepEqual(await taking, [{ id: 'w1', silentMs: 20_000, urls: 1 }])
})
