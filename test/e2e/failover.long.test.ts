// Postgres fails over to a synchronous standby while a fleet is crawling: primaries are killed at random moments, and
// each time the other server is promoted. TEST_FAILOVERS=20 runs more of them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { type PostgresPair, startPostgresPair } from '../../src/store/testing/postgres-pair.ts'
import { serveChaosWeb } from '../chaos/chaos-web.ts'
import { checkArchives, checkCrawl, RETRIES } from '../chaos/check-results.ts'
import { EventLoopDelay } from '../chaos/event-loop-delay.ts'
import { findPolitenessViolations } from '../chaos/request-rate.ts'
import { FAST_FLAGS, type Program, runProgram, startProgram, waitForOutput } from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'

const FAILOVERS = Number(process.env['TEST_FAILOVERS'] ?? 2)
const SEED = Number(process.env['TEST_GRAPH_SEED'] ?? Date.now() & 0x7fffffff)
const GAP_MS = 400
const HOSTS = 10
/** Enough for the crawl to outlast the failovers, unless the machine is slow. */
const PAGES = 10 + 10 * FAILOVERS
const MAX_PAUSE_MS = 1500

async function queryServer(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function countVisited(url: string): Promise<number> {
  const [row] = await queryServer(url, 'select coalesce(sum(visited), 0)::int as visited from counters')
  return Number(row?.['visited'])
}

async function isCompleted(url: string): Promise<boolean> {
  return (await queryServer(url, `select 1 from crawls where status = 'completed'`)).length > 0
}

/** Resolves when more pages are visited than now, or none is left. */
async function waitForVisits(url: string): Promise<void> {
  const before = await countVisited(url)
  await waitUntil(async () => (await countVisited(url)) > before || (await isCompleted(url)))
}

function serverOf({ urls }: PostgresPair, number: number): string {
  return urls[number] ?? assert.fail(`There is no server ${number}`)
}

function makeFleet(t: TestContext, storeUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-failover-'))
  const workers: Program[] = []
  t.after(async () => {
    for (const { child } of workers) child.kill('SIGKILL')
    for (const { ended } of workers) await ended
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    workers,
    start(): Program {
      const data = join(folder, `w${workers.length}`)
      const worker = startProgram(['worker', '--store', storeUrl, '--data', data, '--health-port', '0'])
      workers.push(worker)
      return worker
    },
    folders: () => workers.map((_, i) => join(folder, `w${i}`)),
  }
}

/** Starts a former primary as a primary. No process writes to it or reads from it. */
async function startFormerPrimary(pair: PostgresPair, former: number, startWorker: () => Program): Promise<void> {
  await pair.startByMistake(former)
  const url = serverOf(pair, former)
  const before = await queryServer(url, 'select * from counters order by crawl, worker')
  const primary = serverOf(pair, 1 - former)
  await queryServer(
    primary,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'orbweaver'`,
  )
  const newWorker = await waitForOutput(startWorker(), / worker joined worker=(\w+)/)
  await waitForVisits(primary)
  const registered = `select 1 from workers where id = '${newWorker}'`
  const isRegistered = async (server: string) => (await queryServer(server, registered)).length > 0
  await waitUntil(async () => (await isRegistered(primary)) || (await isRegistered(url)))
  assert.equal(await isRegistered(url), false)
  assert.deepEqual(await queryServer(url, 'select * from counters order by crawl, worker'), before)
  const listed = await runProgram(['workers', '--json', '--store', pair.url])
  assert.match(listed.stdout, new RegExp(newWorker))
}

it('a crawl continues on the promoted standby: nothing is lost, and hosts keep their gap', async (t) => {
  const random = seededRandom(SEED)
  t.diagnostic(`seed ${SEED}`)
  const web = await serveChaosWeb({
    seed: SEED,
    gapHosts: HOSTS,
    sharedHosts: 0,
    pages: PAGES,
    gapMs: GAP_MS,
    slowMs: 0,
  })
  t.after(() => web.served.close())
  const loopDelay = new EventLoopDelay()
  t.after(() => loopDelay.close())
  const pair = await startPostgresPair()
  t.after(() => pair.close())
  const fleet = makeFleet(t, pair.url)
  const crawl = web.crawls[0] ?? assert.fail('no crawl')
  const flags = [...FAST_FLAGS, '--retries', String(RETRIES), '--per-host', '1', '--delay', String(GAP_MS)]
  const created = await runProgram(['crawl', ...crawl.seeds, '--store', pair.url, '--detach', ...flags])
  assert.equal(created.code, 0, created.stderr)
  const { crawl_id: crawlId } = JSON.parse(created.stdout) as { crawl_id: string }
  for (const worker of [fleet.start(), fleet.start()]) await waitForOutput(worker, / worker joined worker=(\w+)/)
  await waitForVisits(pair.urls[0])

  let primary = 0
  for (let failover = 1; failover <= FAILOVERS; failover++) {
    await sleep(random.below(MAX_PAUSE_MS))
    await pair.kill(primary)
    const killedAt = performance.now()
    primary = 1 - primary
    await pair.promote(primary)
    const promotedAt = performance.now()
    await waitForVisits(serverOf(pair, primary))
    const resumedMs = performance.now() - promotedAt
    t.diagnostic(
      `failover ${failover}: promoted after ${Math.round(promotedAt - killedAt)} ms, visits after ${Math.round(resumedMs)} ms more`,
    )
    if (failover === 1) {
      for (const worker of fleet.workers) {
        await waitForOutput(worker, / store is on another server server=(\S+)/)
        assert.doesNotMatch(worker.stderrText(), /commits may be lost/)
      }
      await startFormerPrimary(pair, 1 - primary, fleet.start)
    }
    if (failover < FAILOVERS) await pair.join(1 - primary)
  }

  await waitUntil(() => isCompleted(serverOf(pair, primary)), { pollMs: 100 })
  for (const { child, ended } of fleet.workers) {
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    assert.equal(code, 0, stderr)
  }
  const allowedRepeats = { duringFaults: new Set<string>(), underLateLeases: new Set<string>() }
  const result = await checkCrawl(crawl, crawlId, { storeUrl: pair.url, log: web.served.log, allowedRepeats })
  t.diagnostic(`${result.urls} URLs, ${web.served.log.requests.length} requests, ${result.repeated} repeated`)
  assert.deepEqual([result.lost, result.problems], [0, []])
  assert.deepEqual(await checkArchives(pair.url, fleet.folders(), join(fleet.folder, 'gathered')), [])
  assert.deepEqual(findPolitenessViolations(web.served.log.requests, web.crawls, loopDelay), [])
})
