// Connections without responses, and transactions that hang: calls get through all the same.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { IDLE_FIGURES } from '../../ports/contracts/testing/idle-figures.ts'
import { foundUrl, only, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Store } from '../../ports/store.ts'
import { makeTestDatabase } from '../testing/test-database.ts'
import { makeProxy } from '../testing/test-proxy.ts'
import { STATEMENT_MS } from './connect.ts'
import { openStore } from './store.ts'

const OPTIONS = {
  clock: systemClock,
  isClockVirtual: false,
  random: Math.random,
  leaseMs: 60_000,
  connections: 1,
  create: true,
  onOutage: () => undefined,
}

function ask(store: Store, crawlId: string, threadId = 'w') {
  const limits = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  return store.frontier.lease({ ...limits, crawlId, threadId })
}

it('calls on silent connections succeed on new ones', async (t) => {
  const database = await makeTestDatabase()
  const proxy = await makeProxy(database.url)
  const store = await openStore(proxy.url, { ...OPTIONS, statementMs: 1000 })
  t.after(async () => {
    await store.close()
    await proxy.close()
    await database.drop()
  })
  const { id } = await store.crawls.create({
    seeds: [foundUrl('a/1'), foundUrl('b/1')],
    settings: TEST_SETTINGS,
    keySeed: 1,
  })
  const { token } = only((await ask(store, id)).leases)
  proxy.strand()
  const [lost, grant] = await Promise.all([store.frontier.renew([token]), ask(store, id)])
  assert.deepEqual(lost, [])
  assert.equal(grant.leases.length, 1)
})

it('leases are renewed and heartbeats arrive while everything else waits for a hanging transaction', async (t) => {
  const database = await makeTestDatabase()
  const store = await openStore(database.url, { ...OPTIONS, statementMs: STATEMENT_MS })
  const still = new pg.Client({ connectionString: database.url })
  await still.connect()
  t.after(async () => {
    await store.close()
    await still.end()
    await database.drop()
  })
  const { id } = await store.crawls.create({
    seeds: [foundUrl('a/1'), foundUrl('b/1')],
    settings: TEST_SETTINGS,
    keySeed: 1,
  })
  const { token } = only((await ask(store, id)).leases)
  await still.query('begin')
  await still.query('lock table counters')
  const waiting = ask(store, id, 'v')
  const locked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await still.query(locked)).rows.length === 0);
  assert.deepEqual(await store.frontier.renew([token]), [])
  const about = { id: 'w', name: 'w', version: '1', address: null, startedAt: 1 }
  assert.equal((await store.workers.heartbeat({ ...about, figures: IDLE_FIGURES })).mayWork, true)
  await still.query('rollback')
  assert.equal((await waiting).leases.length, 1)
})

it('an error in one crawl does not fail the calls of another on the same worker', async (t) => {
  const database = await makeTestDatabase()
  const store = await openStore(database.url, { ...OPTIONS, statementMs: STATEMENT_MS })
  t.after(async () => {
    await store.close()
    await database.drop()
  })
  const make = (seed: string) =>
    store.crawls.create({ seeds: [foundUrl(seed)], settings: TEST_SETTINGS, keySeed: 1 }).then(({ id }) => id)
  const [one, two] = [await make('a/1'), await make('b/1')]
  const visit = { token: 1, urlId: 1, outcome: { state: 'visited' as const, reason: null }, facts: null, page: null }
  const broken = store.frontier.commit({
    crawlId: one,
    threadId: 'w',
    found: [],
    hosts: [],
    samples: [],
    release: [],
    rejected: {},
    requests: {},
    subresources: [],
    linkKeys: new Uint8Array(0),
    bytes: 0,
    visits: [1, 2].map(() => ({ ...visit, found: [], linkCount: 0, traps: null, freshness: null })),
  })
  const [failed, leased] = await Promise.allSettled([broken, ask(store, two)])
  assert.equal(failed.status, 'rejected')
  assert.ok(leased.status === 'fulfilled' && leased.value.leases.length === 1)
})
