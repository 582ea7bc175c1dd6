import assert from 'node:assert/strict'
import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { openDatabase } from './open.ts'
import { openReader, openStore } from './store.ts'

const FIRST_SETTINGS = [
  'scope',
  'include',
  'exclude',
  'maxDepth',
  'maxPages',
  'concurrency',
  'perHost',
  'delayMs',
  'timeoutMs',
  'retries',
  'retryDelayMs',
  'maxBodyBytes',
  'userAgent',
  'headers',
  'followRedirects',
  'ignoreRobots',
  'allowPrivate' as const,
] as const

/** A directory as version 0.1.0 left it: one crawl, one URL visited, one queued. */
function oldDirectory(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-old-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const db = new DatabaseSync(join(dir, 'store.db'))
  db.exec(readFileSync(join(import.meta.dirname, 'migrations', '0001-frontier.sql'), 'utf8'))
  const settings = Object.fromEntries(FIRST_SETTINGS.map((name) => [name, TEST_SETTINGS[name]]))
  db.prepare(
    `insert into crawls (id, uuid, status, root_url, seeds, settings, key_seed, created_at, open, visited)
     values (1, 'old', 'paused', 'http://a.test/', '["http://a.test/"]', ?, 1, 0, 1, 1)`,
  ).run(JSON.stringify(settings))
  db.exec(`insert into hosts (id, name) values (1, 'a.test');
    insert into urls (id, crawl, key, host, state, rank, depth, hops, attempts, first_seen_at, url)
      values (1, 1, 11, 1, 4, 1, 0, 0, 1, 0, 'http://a.test/'), (2, 1, 12, 1, 2, 2, 1, 0, 0, 0, 'http://a.test/2');
    update urls set parent = 1 where id = 2;
    insert into visits (url_id, attempt, state, visited_at) values (1, 1, 4, 0);
    pragma application_id = ${0x4f726277}; pragma user_version = 1`)
  db.close()
  return dir
}

describe('a crawl whose process was killed', () => {
  it('is shown as paused, and as running while a process works on it', async (t) => {
    const dir = oldDirectory(t)
    const store = openStore(dir, { clock: new ManualClock(), random: () => 0.5, leaseMs: 1000, create: false })
    await store.crawls.setPaused('old', false)
    const statusNow = async () => {
      const reader = openReader(dir)
      const { status, reason } = (await reader.crawls.progress('old')).crawl
      await reader.close()
      return [status, reason]
    }
    assert.deepEqual(await statusNow(), ['running', null])
    await store.close()
    assert.deepEqual(await statusNow(), ['paused', 'interrupted'])
  })
})

describe('a data directory that is read', () => {
  it('shows the copies of robots.txt', async (t) => {
    const dir = oldDirectory(t)
    const store = openStore(dir, { clock: new ManualClock(), random: () => 0.5, leaseMs: 1000, create: false })
    const copy = {
      origin: 'http://a.test',
      askedAt: 1,
      expiresAt: 2,
      status: 404,
      problem: null,
      body: null,
      goodAt: null,
    }
    await store.robots.save(copy)
    const reader = openReader(dir)
    assert.deepEqual(await reader.robots.find('http://a.test'), copy)
    assert.equal(await reader.robots.find('http://b.test'), null)
    await reader.close()
    await store.close()
  })
})

describe('a data directory of an older version', () => {
  it('is migrated when it is read', async (t) => {
    const reader = openReader(oldDirectory(t))
    const { crawl, ledger } = await reader.crawls.progress('old')
    assert.deepEqual([ledger.visited, ledger.queued], [1, 1])
    assert.deepEqual(Object.keys(crawl.settings).sort(), Object.keys(TEST_SETTINGS).sort())
    assert.deepEqual([crawl.settings.maxPages, crawl.settings.maxDepth, crawl.settings.maxRate], [null, null, null])
    await reader.close()
  })

  it('continues where it was', async (t) => {
    const store = openStore(oldDirectory(t), {
      clock: new ManualClock(),
      random: () => 0.5,
      leaseMs: 1000,
      create: false,
    })
    await store.crawls.setPaused('old', false)
    const request = { crawlId: 'old', threadId: 'w', maxUrls: 10, maxHosts: 10, slotsPerHost: 1, topUp: [] }
    const { leases } = await store.frontier.lease({ ...request, patternsVersion: 0 })
    assert.equal(leases[0]?.urls[0]?.url, 'http://a.test/2')
    assert.deepEqual(await store.urls.verify('old'), [])
    await store.close()
  })
})

it('a directory can be created by two processes at once', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-both-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const options = { create: true, readOnly: false }
  const { readdirSync } = fs
  // The other process creates the store after this process has seen that it does not exist.
  const readdir = t.mock.method(fs, 'readdirSync', () => {
    readdir.mock.restore()
    syncBuiltinESMExports()
    openDatabase(dir, options).close()
    return readdirSync(dir)
  })
  syncBuiltinESMExports()
  openDatabase(dir, options).close()
  assert.equal(readdir.mock.callCount(), 1)
})
