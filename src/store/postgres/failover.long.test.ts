// The primary of a synchronous pair is killed at random moments while workers lease and commit as fast as they can. Then
// it is unknown whether a commit happened: it may be on the promoted standby or not, and must count once in any case.
// TEST_FAILOVERS=50 runs more of them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { waitUntil } from '../../../test/testing/wait-until.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Frontier } from '../../ports/frontier.ts'
import type { Store } from '../../ports/store.ts'
import { arbitraryWeb, crawlConcurrently, shortestDepths, shortName } from '../testing/concurrent-crawl.ts'
import { startPostgresPair } from '../testing/postgres-pair.ts'
import { connectClient } from './connect.ts'
import { readServerState } from './server-state.ts'
import { type ServerChange, Servers } from './servers.ts'
import { openStore } from './store.ts'

const FAILOVERS = Number(process.env['TEST_FAILOVERS'] ?? 3)
const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)
const PAGES_PER_HOST = 30
const MAX_DELAY_MS = 800
const OPTIONS = {
  clock: systemClock,
  isClockVirtual: false,
  random: Math.random,
  leaseMs: 120_000,
  connections: 3,
  statementMs: 10_000,
  create: true,
}

/** Counts commits whose call returned. */
function countCommits(store: Store): { store: Store; commits: () => number } {
  let commits = 0
  const { frontier } = store
  const counting: Frontier = {
    lease: (request) => frontier.lease(request),
    renew: (tokens) => frontier.renew(tokens),
    requeueThread: (crawlId, threadId) => frontier.requeueThread(crawlId, threadId),
    waitForWork: (timeoutMs, wakeCount) => frontier.waitForWork(timeoutMs, wakeCount),
    async commit(batch) {
      const result = await frontier.commit(batch)
      commits += 1
      return result
    },
  }
  return { store: { ...store, frontier: counting }, commits: () => commits }
}

it('every commit counts once, on whichever server it ended', async (t) => {
  const pair = await startPostgresPair()
  const outages: (string | null)[] = []
  const opened: Store[] = []
  t.after(async () => {
    for (const store of opened) await store.close()
    await pair.close()
  })
  for (let i = 0; i < 2; i++) {
    opened.push(await openStore(pair.url, { ...OPTIONS, onOutage: (problem) => outages.push(problem) }))
  }
  const webs = fc.sample(arbitraryWeb(PAGES_PER_HOST), { numRuns: FAILOVERS, seed: SEED })
  let primary = 0
  for (const [i, web] of webs.entries()) {
    const counted = opened.map(countCommits)
    const totalCommits = () => counted.reduce((sum, { commits }) => sum + commits(), 0)
    let commitsBefore = 0
    const failOver = async () => {
      await sleep(Math.random() * MAX_DELAY_MS)
      commitsBefore = totalCommits()
      await pair.kill(primary)
      primary = 1 - primary
      await pair.promote(primary)
    }
    const crawlId = await crawlConcurrently({
      stores: counted.map(({ store }) => store),
      workersPerStore: 4,
      web,
      settings: { perHost: 3 },
      chance: Math.random,
      beside: async () => failOver,
    })
    const [{ store } = assert.fail('no store')] = counted
    assert.deepEqual(await store.urls.verify(crawlId), [])
    const rows = await Array.fromAsync(store.urls.rows(crawlId))
    const depths = Object.fromEntries(rows.map((row) => [shortName(row.url), row.depth]))
    assert.deepEqual(depths, shortestDepths(web, null), `seed ${SEED}, web ${i}`)
    const { crawl, lateReports, bytes, rejected } = await store.crawls.progress(crawlId)
    const commits = totalCommits()
    assert.deepEqual([crawl.status, lateReports], ['completed', 0])
    assert.deepEqual([bytes, rejected], [commits, { scope: commits }], `seed ${SEED}, web ${i}`)
    t.diagnostic(`failover ${i + 1}: ${rows.length} URLs, ${commits} commits, ${commitsBefore} before`)
    await pair.join(1 - primary)
  }
  assert.ok(outages.some((problem) => problem !== null))
})

it('a former primary is not used, and a change of servers says whether commits may be lost', async (t) => {
  const pair = await startPostgresPair()
  t.after(() => pair.close())
  const options = { name: 'failover test', isWriting: true, statementMs: 0 }
  const changes: ServerChange[] = []
  const servers = new Servers(pair.url, (change) => changes.push(change))
  const nameOf = (number: number) => new URL(pair.urls[number] ?? '').host
  const connect = async (to: Servers) => {
    const client = await connectClient(to, options)
    t.after(() => client.end())
    return client
  }
  await connect(servers)
  assert.equal(servers.current.name, nameOf(0))
  await pair.kill(0)
  await assert.rejects(connect(servers), { message: / is a standby/ })
  await pair.promote(1)
  await connect(servers)
  assert.deepEqual([servers.current.name, changes.at(-1)?.mayLackCommits], [nameOf(1), false])

  // The former primary is named first, and accepts writes.
  await pair.startByMistake(0)
  const started = new Servers(pair.url)
  await connect(started)
  assert.equal(started.current.name, nameOf(1))
  await pair.kill(1)
  const behind = /former primary, on timeline 1 instead of 2/
  await assert.rejects(connect(servers), { code: '25006', message: behind })
  await assert.rejects(connect(started), { code: '25006', message: behind })
})

it('commits may be lost if the primary did not wait for its standby', async (t) => {
  const pair = await startPostgresPair()
  t.after(() => pair.close())
  const options = { name: 'failover test', isWriting: true, statementMs: 0 }
  const changes: ServerChange[] = []
  const servers = new Servers(pair.url, (change) => changes.push(change))
  const client = await connectClient(servers, options)
  t.after(() => client.end())
  await client.query(`alter system set synchronous_standby_names = ''`)
  await client.query('select pg_reload_conf()')
  await waitUntil(async () => !(await readServerState(client)).isSynchronous)
  await servers.refreshState(client)
  await pair.kill(0)
  await pair.promote(1)
  const next = await connectClient(servers, options)
  t.after(() => next.end())
  assert.equal(changes.at(-1)?.mayLackCommits, true)
})
