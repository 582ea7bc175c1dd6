// Processes that join a store used by others: no process takes what a live process holds.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { foundUrl, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Store } from '../../ports/store.ts'
import { makeVisitFacts } from '../testing/concurrent-crawl.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { openSource } from '../transfer/postgres-source.ts'
import { STATEMENT_MS } from './connect.ts'
import { listPossiblyActive } from './presence.ts'
import { ownIdentity } from './process-identity.ts'
import { openStore } from './store.ts'

const OPTIONS = {
  clock: systemClock,
  isClockVirtual: false,
  random: Math.random,
  leaseMs: 60_000,
  connections: 2,
  statementMs: STATEMENT_MS,
  create: true,
  onOutage: () => undefined,
}

/** Only on Linux it is possible to tell that a process is gone. */
const skip = ownIdentity().machine === null

interface JoinHarness {
  url: string
  client: pg.Client
  open(): Promise<Store>
  close(store: Store): Promise<void>
}

async function makeHarness(t: TestContext): Promise<JoinHarness> {
  const { url, drop } = await makeTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const stores = new Set<Store>()
  t.after(async () => {
    await Promise.all([...stores].map((store) => store.close()))
    await client.end()
    await drop()
  })
  return {
    url,
    client,
    async open() {
      const store = await openStore(url, OPTIONS)
      stores.add(store)
      return store
    },
    async close(store) {
      stores.delete(store)
      await store.close()
    },
  }
}

/** A store that holds the only URL of a new crawl. */
async function openHolder({ open }: JoinHarness) {
  const store = await open()
  const { id } = await store.crawls.create({ seeds: [foundUrl('a/1')], settings: TEST_SETTINGS, keySeed: 1 })
  return { store, crawlId: id, lease: only(await leases(store, id)) }
}

async function leases(store: Store, crawlId: string): Promise<Lease[]> {
  const limits = { maxUrls: 10, maxHosts: 10, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  return (await store.frontier.lease({ ...limits, crawlId, threadId: 'w-0' })).leases
}

/** Breaks the connections with the presence locks, as a restart of the server does. */
async function breakLocks(client: pg.Client): Promise<void> {
  const locks = `from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
  await client.query(`select pg_terminate_backend(pid) ${locks}`)
  while ((await client.query(`select 1 ${locks}`)).rows.length > 0);
}

/** Makes the process look as if it had been killed. */
async function kill(client: pg.Client): Promise<void> {
  await client.query('update processes set pid = $1', [spawnSync(process.execPath, ['--version']).pid])
  await breakLocks(client)
}

it('a process that opens the store while another reconnects takes nothing from it', async (t) => {
  const harness = await makeHarness(t)
  const { store, crawlId, lease } = await openHolder(harness)
  await breakLocks(harness.client)
  assert.deepEqual(await leases(await harness.open(), crawlId), [])
  const visit = { token: lease.token, urlId: only(lease.urls).id, outcome: { state: 'visited' as const, reason: null } }
  const { late, status } = await store.frontier.commit({
    crawlId,
    threadId: 'w-0',
    found: [],
    hosts: [],
    samples: [],
    release: [],
    rejected: {},
    requests: {},
    subresources: [],
    linkKeys: new Uint8Array(0),
    bytes: 0,
    visits: [
      { ...visit, facts: makeVisitFacts('page'), page: null, found: [], linkCount: 0, traps: null, freshness: null },
    ],
  })
  assert.deepEqual([late, status], [0, 'completed'])
})

it('the leases of a process killed on this machine are requeued at once', { skip }, async (t) => {
  const harness = await makeHarness(t)
  const { crawlId, lease } = await openHolder(harness)
  await kill(harness.client)
  const again = only(await leases(await harness.open(), crawlId))
  assert.deepEqual([again.host, again.token > lease.token], [lease.host, true])
})

it('the leases of a process elsewhere expire', async (t) => {
  const harness = await makeHarness(t)
  const { crawlId } = await openHolder(harness)
  await harness.client.query(`update processes set machine = 'elsewhere'`)
  await kill(harness.client)
  assert.deepEqual(await leases(await harness.open(), crawlId), [])
})

it('the leases of a process that closed the store are requeued at once', async (t) => {
  const harness = await makeHarness(t)
  const { store, crawlId } = await openHolder(harness)
  await harness.close(store)
  assert.deepEqual((await harness.client.query('select number from processes')).rows, [])
  assert.equal((await leases(await harness.open(), crawlId)).length, 1)
})

/** An unexpired lease of a process that left nothing else. */
async function leaveLease(client: pg.Client, pid: number): Promise<void> {
  const { machine } = ownIdentity()
  await client.query('insert into processes values (99, $1, $2, 0)', [machine, pid])
  await client.query(
    `insert into leases (token, worker, crawl, host, slots, expires_at) values (1, '99/w-0', 1, 1, 1, now_ms(null) + 60000)`,
  )
}

it('a process with leases or a recent heartbeat may be active, unless it is known to be gone', { skip }, async (t) => {
  const { client } = await makeHarness(t)
  assert.deepEqual(await listPossiblyActive(client, null), [])
  await leaveLease(client, process.pid)
  assert.deepEqual(await listPossiblyActive(client, null), [99])
  await kill(client)
  assert.deepEqual(await listPossiblyActive(client, null), [])
  await client.query(
    `insert into workers (id, process, name, version, state, started_at, seen_at, figures)
     values ('w', 98, 'w', '1', 'working', 0, now_ms(null) - 5000, '{}')`,
  )
  assert.deepEqual(await listPossiblyActive(client, null), [98])
})

it('a process is not alone while another may be active', async (t) => {
  const harness = await makeHarness(t)
  const store = await harness.open()
  assert.equal(await store.retention.isOnlyProcess(), true)
  await leaveLease(harness.client, process.pid)
  assert.equal(await store.retention.isOnlyProcess(), false)
})

it('a store is not transferred while a process may be active on it', { skip }, async (t) => {
  const { url, client } = await makeHarness(t)
  await leaveLease(client, process.pid)
  await assert.rejects(openSource(url), { code: 'DATA_IN_USE' })
  await kill(client)
  await (await openSource(url)).close()
})
