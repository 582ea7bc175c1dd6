// The read-only commands on a store in Postgres.

import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { addCrawl, addUrls, TEST_CRAWL } from '../../src/store/testing/crawl-rows.ts'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { makeTemporaryFolder, runProgram } from '../testing/program.ts'

async function storeWithCrawl(t: TestContext): Promise<string> {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await addUrls(client, await addCrawl(client, TEST_CRAWL, 'paused'), [
    { id: 1, state: 4 },
    { id: 2, state: 10, depth: 1, parent: 1, reason: 'robots' },
    { id: 3, state: 2, depth: 1, parent: 1 },
  ])
  await client.end()
  return database.url
}

it('a crawl in Postgres is listed, shown, verified and exported', async (t) => {
  const env = { ORBWEAVER_STORE: await storeWithCrawl(t), ORBWEAVER_DATA: makeTemporaryFolder(t) }
  const outputs: Record<string, string> = {}
  const commands = [
    ['crawls', '--json'],
    ...['status', 'verify', 'export', 'politeness', 'traps'].map((name) => [name, TEST_CRAWL]),
  ]
  for (const args of commands) {
    const { code, stdout, stderr } = await runProgram(args, { env })
    assert.equal(code, 0, `${args[0]}: ${stderr}`)
    outputs[args[0] ?? ''] = stdout
  }
  assert.match(outputs['crawls'] ?? '', new RegExp(TEST_CRAWL))
  assert.match(outputs['status'] ?? '', /^Paused/)
  assert.match(outputs['verify'] ?? '', /all checks passed/)
  assert.equal((outputs['export'] ?? '').trim().split('\n').length, 3)
  assert.match(outputs['politeness'] ?? '', /a\.test/)
})

it('a page that was never archived is reported as such', async (t) => {
  const store = await storeWithCrawl(t)
  const { code, stderr } = await runProgram([
    'page',
    'http://a.test/1',
    '--store',
    store,
    '--data',
    makeTemporaryFolder(t),
  ])
  assert.equal(code, 2)
  assert.match(stderr, /The archive has no page/)
})

it('problems with a store are reported in a sentence, without the password', async (t) => {
  const store = new URL(await storeWithCrawl(t))
  store.password = 'hush'
  store.pathname = '/no_such'
  const wrong: [url: string, says: RegExp][] = [
    [store.href, /^orbweaver: There is no database at 127\.0\.0\.1:\d+\/no_such/],
    ['postgres://me:hush@127.0.0.1:1/db', /^orbweaver: Postgres at 127\.0\.0\.1:1\/db cannot be reached/],
    ['mysql://me:hush@127.0.0.1/db', /^orbweaver: --store must be a URL such as postgres:/],
  ]
  for (const [url, says] of wrong) {
    const { code, stderr } = await runProgram(['crawls', '--store', url])
    assert.notEqual(code, 0)
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /hush|\n\s+at /)
  }
})
