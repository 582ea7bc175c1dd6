// A crawl that was killed halfway is moved and continues in its new store. A move that is killed halfway leaves nothing
// that could pass for a store, and is started over.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { type ServedSites, serveSites } from '../../src/demo/serve-sites.ts'
import { makeTestDatabase } from '../../src/store/testing/test-database.ts'
import { findDifferences } from '../oracle/compare-crawl.ts'
import { expectCrawl } from '../oracle/expected-crawl.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import {
  type ExportRow,
  FAST_FLAGS,
  makeTemporaryFolder,
  parseSummary,
  runProgram,
  startProgram,
} from '../testing/program.ts'
import { waitUntil } from '../testing/wait-until.ts'

const seed = Number(process.env['TEST_GRAPH_SEED'] ?? 5151)
/** With two retries, a page that fails at first succeeds in the end, however often it was requested before. */
const PLAN = { maxDepth: 6, retries: 2, followRedirects: true }

async function database(t: TestContext): Promise<{ url: string; client: pg.Client }> {
  const { url, drop } = await makeTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await drop()
  })
  return { url, client }
}

async function web(t: TestContext, pages: number): Promise<{ served: ServedSites; seeds: string[] }> {
  const served = await serveSites([1, 2].map((n) => makeSite(seed + n, { pages })))
  t.after(() => served.close())
  return { served, seeds: served.sites.map(({ origin }) => `${origin}/`) }
}

/** Starts a crawl and kills it after 120 requests. */
async function crawlHalf(served: ServedSites, seeds: string[], flags: string[]): Promise<void> {
  const limits = ['--depth', String(PLAN.maxDepth), '--retries', String(PLAN.retries), '--delay', '15']
  const crawl = startProgram(['crawl', ...seeds, ...FAST_FLAGS, ...limits, ...flags])
  const hasHalf = () => {
    if (crawl.child.exitCode !== null) throw new Error(`The crawl ended too early: ${crawl.stderrText()}`)
    return served.log.requests.length >= 120
  }
  await waitUntil(hasHalf, { pollMs: 5 })
  crawl.child.kill('SIGKILL')
  await crawl.ended
}

async function succeed(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(args)
  assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Resumes the crawl until it ends and compares the result with that of a crawl that was never moved. */
async function finish(served: ServedSites, seeds: string[], flags: string[]): Promise<void> {
  const programResult = await runProgram(['resume', ...flags, '--json'])
  assert.equal(programResult.code, 0, programResult.stderr)
  const { crawl_id: id, status } = parseSummary(programResult)
  assert.equal(status, 'completed')
  const lines = (await succeed(['export', id, ...flags])).trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as ExportRow)
  const crawled = rows.map((exportRow) => ({ ...exportRow, httpStatus: exportRow.http_status }))
  const expected = expectCrawl(served.sites, { ...PLAN, seeds })
  assert.deepEqual(findDifferences(expected, crawled), [], `replay with TEST_GRAPH_SEED=${seed}`)
  await succeed(['verify', id, ...flags])
}

describe('a crawl that was killed halfway', { concurrency: true }, () => {
  it('continues in a database', async (t) => {
    const { served, seeds } = await web(t, 150)
    const folder = makeTemporaryFolder(t)
    const { url } = await database(t)
    const [data, other] = [join(folder, 'data'), join(folder, 'other')]
    await crawlHalf(served, seeds, ['--data', data])
    await succeed(['move', '--from', data, '--to', url, '--data', other])
    await finish(served, seeds, ['--store', url, '--data', other])
    await finish(served, seeds, ['--data', data])
  })

  it('continues in a directory', async (t) => {
    const { served, seeds } = await web(t, 150)
    const folder = makeTemporaryFolder(t)
    const { url } = await database(t)
    const [data, other] = [join(folder, 'data'), join(folder, 'other')]
    await crawlHalf(served, seeds, ['--store', url, '--data', other])
    await succeed(['move', '--from', url, '--to', data, '--data', other])
    await finish(served, seeds, ['--data', data])
    await succeed(['archive', 'verify', '--data', data])
  })
})

/** Kills the move when it has written the URLs: a lock held by the caller blocks it before the visits. */
async function killMidway(args: string[]): Promise<void> {
  const move = startProgram([...args, '--json'])
  await move.waitForLine((line) => line.includes('"urls"') && line.includes('"is_done":true'))
  move.child.kill('SIGKILL')
  assert.equal((await move.ended).signal, 'SIGKILL')
}

async function assertRefused(flags: string[]): Promise<void> {
  for (const command of [['crawls'], ['resume'], ['verify', 'x'], ['crawl', 'http://127.0.0.1:1/']]) {
    const { code, stderr } = await runProgram([...command, ...flags])
    assert.equal(code, 1, stderr)
    assert.match(
      stderr,
      /^orbweaver: A move into .* was interrupted.*Run the same orbweaver move command again to start over\.\n$/,
    )
  }
}

describe('a move that was killed halfway', () => {
  it('leaves a target that every other command rejects, and is started over by the same command', async (t) => {
    const { served, seeds } = await web(t, 60)
    const folder = makeTemporaryFolder(t)
    const { url, client } = await database(t)
    const [data, other, back] = ['data', 'other', 'back'].map((name) => join(folder, name)) as [string, string, string]
    await succeed(['crawl', ...seeds, '--data', data, ...FAST_FLAGS])
    const there = ['move', '--from', data, '--to', url, '--data', other]
    await client.query(`create function wait() returns trigger language plpgsql as
      'begin perform pg_advisory_lock(7); perform pg_advisory_unlock(7); return null; end'`)
    await client.query('create trigger wait before insert on visits for each statement execute function wait()')
    await client.query('select pg_advisory_lock(7)')
    await killMidway(there)
    await client.query('select pg_advisory_unlock(7)')
    await assertRefused(['--store', url, '--data', other])
    await succeed(there)
    const [id = ''] =
      (await succeed(['crawls', '--store', url, '--data', other, '--json'])).match(/[0-9a-f-]{36}/) ?? []
    const home = ['move', '--from', url, '--to', back, '--data', other]
    await client.query('begin')
    await client.query('lock table visits in access exclusive mode')
    await killMidway(home)
    await client.query('rollback')
    await assertRefused(['--data', back])
    await succeed(home)
    const all = await Promise.all([data, back].map((dir) => succeed(['export', id, '--data', dir])))
    assert.equal(all[0], all[1])
    assert.ok(served.log.requests.length > 100)
  })
})
