import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Browse } from '../../ports/browse.ts'
import { FIRST_PAGE } from '../../ports/contracts/testing/browse-site.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { addCrawl, addUrls, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { makeEmptyDatabase, makeTestDatabase } from '../testing/test-database.ts'
import { openPool, STATEMENT_MS } from './connect.ts'
import { startReaderThread } from './start-threads.ts'

it('a thread reads the database over its own connections', async (t) => {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const pool = openPool(database.url, { max: 1, name: 'orbweaver test', isWriting: true, statementMs: STATEMENT_MS })
  await addUrls(pool, await addCrawl(pool), [{ id: 1, state: 4 }])
  await pool.end()
  const thread = await startReaderThread({ url: database.url })
  const browse = thread.client.service<Browse>('browse')
  assert.deepEqual(
    (await browse.urls(TEST_CRAWL, FIRST_PAGE)).rows.map(({ state }) => state),
    ['visited'],
  )
  assert.equal((await browse.urlDetails(TEST_CRAWL, 1))?.visits.length, 1)
  assert.equal((await thread.client.service<CrawlReader>('crawls').list()).length, 1)
  await thread.close()
})

it('a thread cannot read a missing database', async (t) => {
  const database = await makeEmptyDatabase()
  t.after(() => database.drop())
  await assert.rejects(startReaderThread({ url: database.url }), { code: 'DATA_NOT_FOUND' })
})
