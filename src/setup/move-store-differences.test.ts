// Moves of data that only one kind of store has, and moves of an inconsistent source.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { openReader as openPostgresReader } from '../store/postgres/reader.ts'
import { openReader } from '../store/sqlite/store.ts'
import { addCrawl, addUrls, TEST_CRAWL, type TestUrl } from '../store/testing/crawl-rows.ts'
import { makeEmptyDatabase, makeTestDatabase } from '../store/testing/test-database.ts'
import { moveStore } from './move-store.ts'

const VISITED = 4
const QUEUED = 2

async function makeDatabase(t: TestContext, urls: TestUrl[]): Promise<{ url: string; client: pg.Client }> {
  const { url, drop } = await makeTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await drop()
  })
  await addUrls(client, await addCrawl(client), urls)
  return { url, client }
}

function keys(...ids: number[]): Buffer {
  return Buffer.from(new BigInt64Array(ids.map(BigInt)).buffer)
}

async function moveTo(url: string, to: string): Promise<void> {
  const request = { from: url, to, data: '/nowhere', archiveStore: [], isForced: false }
  await moveStore(request, () => undefined, new AbortController().signal)
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-move-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'data')
}

async function readPaths(dir: string): Promise<[id: number, depth: number, parent: number | null][]> {
  const reader = openReader(dir)
  const rows = await Array.fromAsync(reader.urls.rows(TEST_CRAWL))
  await reader.close()
  return rows.map(({ id, depth, discoveredFrom }) => [id, depth, discoveredFrom])
}

describe('shorter paths that are not applied yet', () => {
  const CHAIN: TestUrl[] = [
    { id: 1, state: VISITED },
    { id: 2, state: VISITED, depth: 1, parent: 1 },
    { id: 3, state: VISITED, depth: 2, parent: 2 },
    { id: 4, state: VISITED, depth: 3, parent: 3 },
    { id: 5, state: QUEUED, depth: 4, parent: 4 },
  ]
  const LINKS = `insert into links (crawl, host, url_id, targets) values (1, 7, 1, $1), (1, 7, 3, $2), (1, 7, 4, $3)`
  const SHORT = [
    [1, 0, null],
    [2, 1, 1],
    [3, 1, 1],
    [4, 2, 3],
    [5, 3, 4],
  ]
  for (const [name, targets] of [
    ['to some URLs', keys(3)],
    ['to all links of a URL', null],
  ] as const) {
    it(`are applied completely: ${name}`, async (t) => {
      const { url, client } = await makeDatabase(t, CHAIN)
      await client.query(LINKS, [keys(2, 3), keys(4), keys(5)])
      await client.query('insert into detours (crawl, host, url_id, targets) values (1, 7, 1, $1)', [targets])
      const dir = makeFolder(t)
      await moveTo(url, dir)
      assert.deepEqual(await readPaths(dir), SHORT)
    })
  }

  it('without a parent lead to depth 0', async (t) => {
    const { url, client } = await makeDatabase(t, CHAIN)
    await client.query(LINKS, [keys(2), keys(4), keys(5)])
    await client.query('insert into detours (crawl, host, url_id, targets) values (1, 0, 0, $1)', [keys(3)])
    const dir = makeFolder(t)
    await moveTo(url, dir)
    assert.deepEqual(
      (await readPaths(dir)).map(([, depth]) => depth),
      [0, 1, 0, 1, 2],
    )
  })

  it('stay unchanged between two databases', async (t) => {
    const { url, client } = await makeDatabase(t, CHAIN)
    await client.query('insert into detours (crawl, host, url_id, targets) values (1, 7, 1, $1)', [keys(3)])
    const other = await makeEmptyDatabase()
    await moveTo(url, other.url)
    const otherClient = new pg.Client({ connectionString: other.url })
    await otherClient.connect()
    const { rows } = await otherClient.query('select * from detours')
    await otherClient.end()
    await other.drop()
    assert.deepEqual(rows, [{ crawl: 1, host: 7, url_id: '1', targets: keys(3) }])
  })
})

it('URLs in progress are queued again, and the ledger is adjusted', async (t) => {
  const { url, client } = await makeDatabase(t, [
    { id: 1, state: VISITED },
    { id: 2, state: 3, depth: 1, parent: 1, lease: 9 },
  ])
  await client.query(`insert into leases (token, worker, crawl, host, slots, expires_at) values (9, 'w', 1, 7, 1, 0)`)
  const dir = makeFolder(t)
  await moveTo(url, dir)
  const reader = openReader(dir)
  const { ledger } = await reader.crawls.progress(TEST_CRAWL)
  await reader.close()
  assert.deepEqual([ledger.visited, ledger.queued, ledger.in_progress], [1, 1, 0])
})

it('a store with an unbalanced ledger is not moved, and its copy cannot be opened', async (t) => {
  const { url, client } = await makeDatabase(t, [{ id: 1, state: VISITED }])
  await client.query('update counters set visited = 5')
  const other = await makeEmptyDatabase()
  t.after(() => other.drop())
  for (const to of [makeFolder(t), other.url]) {
    await assert.rejects(moveTo(url, to), { code: 'LEDGER_BROKEN', message: /visited is 5, counted 1/ })
    const opening = to === other.url ? openPostgresReader(to) : Promise.try(() => openReader(to))
    await assert.rejects(opening, { code: 'MOVE_UNFINISHED' })
  }
  await client.query('update counters set visited = 1')
  await moveTo(url, other.url)
  const reader = await openPostgresReader(other.url)
  assert.equal((await reader.crawls.list()).length, 1)
  await reader.close()
})
