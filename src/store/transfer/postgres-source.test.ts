import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Statement } from '../postgres/query.ts'
import { openStore } from '../postgres/store.ts'
import { testOptions } from '../testing/postgres-test-store.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { readRows } from './postgres-source.ts'

it('a host leased by a process that was killed counts as requested when its lease was last renewed', async (t) => {
  const database = await makeTestDatabase()
  const clock = new ManualClock(1_800_000_000_000)
  const store = await openStore(database.url, testOptions(clock, { leaseMs: 60_000, random: () => 0.5 }))
  const client = new pg.Client({ connectionString: database.url })
  t.after(async () => {
    await client.end()
    await store.close()
    await database.drop()
  })
  await client.connect()
  const settings = { ...TEST_SETTINGS, delayMs: 5000 }
  const crawl = await store.crawls.create({ seeds: [foundUrl('a/')], settings, keySeed: 1 })
  await client.query('update hosts set next_at = $1', [clock.now() - 600_000])
  const request = { maxUrls: 5, maxHosts: 5, slotsPerHost: 5, topUp: [], patternsVersion: 0 }
  const { leases } = await store.frontier.lease({ ...request, crawlId: crawl.id, threadId: 'w1-0' })
  clock.advance(20_000)
  await store.frontier.renew(leases.map(({ token }) => token))
  await client.query('begin')
  const connection = { query: (statement: Statement) => client.query(statement), release: () => undefined }
  const hosts = await Array.fromAsync(readRows({ ...connection, connect: async () => connection }, 'hosts'))
  assert.deepEqual(
    hosts.map((row) => Number(row['next_at'])),
    [clock.now()],
  )
})
