import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { addCrawl, addUrls, TEST_CRAWL } from '../testing/crawl-rows.ts'
import { makeEmptyDatabase, makeTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { openReader } from './reader.ts'

async function open(t: TestContext, make: () => Promise<TestDatabase>): Promise<TestDatabase & { client: pg.Client }> {
  const database = await make()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  return { ...database, client }
}

/** Adds a password, which a server with trust authentication ignores. */
function secretive(url: string, change: (url: URL) => void = () => undefined): string {
  const parsed = new URL(url)
  parsed.password = 'hush-hush'
  change(parsed)
  return parsed.href
}

async function refusal(url: string): Promise<[ErrorCode, string]> {
  const error = await openReader(url).then(
    () => assert.fail('it was opened'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof AppError, String(error))
  assert.doesNotMatch(error.message, /hush/)
  return [error.code, error.message]
}

describe('a database opened read-only', () => {
  it('shows crawls, URLs and pages', async (t) => {
    const { url, client } = await open(t, makeTestDatabase)
    await addUrls(client, await addCrawl(client), [{ id: 1, state: 4 }])
    const reader = await openReader(url)
    const [progress] = await reader.crawls.list()
    assert.deepEqual([progress?.crawl.status, progress?.ledger.visited], ['paused', 1])
    const crawl = await reader.crawls.find(TEST_CRAWL.slice(0, 4))
    assert.equal((await Array.fromAsync(reader.urls.rows(crawl.id))).length, 1)
    assert.deepEqual(await reader.urls.verify(crawl.id), [])
    assert.equal((await Array.fromAsync(reader.diagnostics.politeness(crawl.id)))[0]?.requests, 1)
    assert.deepEqual(await Array.fromAsync(reader.pages.listByCrawl(crawl.id)), [])
    assert.deepEqual(await Array.fromAsync(reader.pages.references()), [])
    await client.query("insert into robots (origin, asked_at, expires_at, status) values ('http://a.test', 1, 2, 404)")
    assert.equal((await reader.robots.find('http://a.test'))?.status, 404)
    assert.equal(await reader.robots.find('http://b.test'), null)
    await reader.close()
  })

  it('reports an invalid URL', async () => {
    assert.deepEqual(await refusal('mysql://u:hush@h/db'), [
      'BAD_CONFIG',
      'The store must be a URL such as postgres://user@host:5432/database.',
    ])
  })

  it('reports that nobody responds', async () => {
    const [code, message] = await refusal('postgres://u:hush@127.0.0.1:1/db')
    assert.equal(code, 'STORE_AWAY')
    assert.match(message, /^Postgres at 127\.0\.0\.1:1\/db cannot be reached: .*ECONNREFUSED/)
  })

  it('reports a missing database, or one without our tables', async (t) => {
    const { url } = await open(t, makeEmptyDatabase)
    const missing = secretive(url, (changed) => {
      changed.pathname = '/no_such'
    })
    assert.deepEqual((await refusal(missing))[0], 'DATA_NOT_FOUND')
    const [code, message] = await refusal(secretive(url))
    assert.equal(code, 'DATA_NOT_FOUND')
    assert.match(message, /no Orbweaver data/)
  })

  it('reports a newer version', async (t) => {
    const { url, client } = await open(t, makeTestDatabase)
    await client.query('update store_version set version = version + 1')
    assert.equal((await refusal(secretive(url)))[0], 'DATA_NEWER')
  })

  it('reports an outage', async (t) => {
    const database = await makeTestDatabase()
    const reader = await openReader(secretive(database.url))
    t.after(() => reader.close())
    await database.drop()
    await assert.rejects(reader.crawls.list(), { name: 'OrbweaverError' })
  })
})
