import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LogLevel } from '../../lib/log.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Crawls } from '../../ports/crawls.ts'
import { makeEmptyDatabase } from '../testing/test-database.ts'
import { openReader } from './reader.ts'
import { startDatabaseThread } from './start-threads.ts'

const log = { format: 'text', level: 'info' } as const

it('a thread creates the tables of an empty database and serves the store from it', async (t) => {
  const database = await makeEmptyDatabase()
  t.after(() => database.drop())
  const thread = await startDatabaseThread({ url: database.url, leaseMs: 30_000, connections: 4, create: true, log })
  const crawls = thread.client.service<Crawls>('crawls')
  const { id } = await crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  assert.equal((await crawls.progress(id)).crawl.status, 'running')
  await thread.client.service<{ setLevel(level: LogLevel): Promise<void> }>('log').setLevel('error')
  const reader = await openReader(database.url)
  const statusNow = async () => (await reader.crawls.progress(id)).crawl.status
  assert.equal(await statusNow(), 'running')
  await thread.close()
  // The server notices a moment later that the connection has ended.
  while ((await statusNow()) !== 'paused');
  await reader.close()
})

it('a thread that cannot open the store says why', async () => {
  const url = 'postgres://u:hush@127.0.0.1:1/db'
  await assert.rejects(startDatabaseThread({ url, leaseMs: 30_000, connections: 4, create: true, log }), {
    name: 'OrbweaverError',
    code: 'STORE_AWAY',
  })
})

it('a command that only controls crawls creates no tables', async (t) => {
  const database = await makeEmptyDatabase()
  t.after(() => database.drop())
  const settings = { url: database.url, leaseMs: 30_000, connections: 4, create: false, log }
  for (let i = 0; i < 2; i++) await assert.rejects(startDatabaseThread(settings), { code: 'DATA_NOT_FOUND' })
})
