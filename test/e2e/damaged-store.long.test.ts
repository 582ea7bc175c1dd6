// A store whose file was damaged on disk: what every command and the server report, and what is still readable.

import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, parseSummary, runProgram, startProgram, waitForOutput } from '../testing/program.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const PAGES = 400
const FLAGS = ['--allow-private', '--delay', '0', '--per-host', '8', '--ignore-robots', '--no-traps', '--json']

interface DamagedCrawls {
  data: string
  /** Ids of the crawl whose rows will be damaged, and of a small crawl that stays intact. */
  large: string
  small: string
}

const LINKS = Array.from({ length: PAGES }, (_, i) => `<a href="/${'long-name-'.repeat(20)}${i}">x</a>`).join('')

async function crawlTwice(t: TestContext): Promise<DamagedCrawls> {
  const data = join(makeTemporaryFolder(t), 'data')
  const site = await servePlainSite(t, (path) => (path === '/' ? LINKS : 'page'))
  const crawl = async (...args: string[]) => {
    const programResult = await runProgram(['crawl', ...args, '--data', data, ...FLAGS])
    assert.equal(programResult.code, 0, programResult.stderr)
    return parseSummary(programResult).crawl_id
  }
  const small = await crawl(`${site.origin}/alone`)
  const large = await crawl(`${site.origin}/`)
  return { data, large, small }
}

/** Overwrites the middle pages of a table, as a failing disk might. */
function damage(data: string, table: string): void {
  const file = join(data, 'store.db')
  const db = new DatabaseSync(file)
  db.exec('pragma wal_checkpoint(truncate)')
  const size = Number(db.prepare('pragma page_size').get()?.['page_size'])
  const leaves = db.prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path").all(table)
  db.close()
  assert.ok(leaves.length >= 8, `${leaves.length} pages`)
  const handle = openSync(file, 'r+')
  for (const { pageno } of leaves.slice(leaves.length / 4, (leaves.length * 3) / 4)) {
    writeSync(handle, Buffer.alloc(size, 0xdb), 0, size, (Number(pageno) - 1) * size)
  }
  closeSync(handle)
}

async function serve(t: TestContext, data: string): Promise<{ address: string; health: string; log: () => string }> {
  const { address, program } = await startServer(t, { data })
  const port = await waitForOutput(program, /health port open .*port=(\d+)/)
  return { address, health: `http://127.0.0.1:${port}`, log: program.stderrText }
}

const SENTENCE = /store\.db is damaged .*docs\/guides\/recovery\.md/

describe('a damaged store', () => {
  it('is reported by every command that reads the damage, and the rest is still readable', async (t) => {
    const { data, large, small } = await crawlTwice(t)
    damage(data, 'urls')
    for (const args of [
      ['export', large],
      ['verify', large],
      ['retry', large],
    ]) {
      const { code, stderr } = await runProgram([...args, '--data', data])
      assert.equal(code, 1, `${args.join(' ')}: ${stderr}`)
      assert.match(stderr, SENTENCE, args.join(' '))
      assert.doesNotMatch(stderr, /report/)
    }
    const crawls = await runProgram(['crawls', '--data', data])
    assert.equal(crawls.code, 0, crawls.stderr)
    assert.ok([large, small].every((id) => crawls.stdout.includes(id.slice(0, 8))))
    const whole = await runProgram(['export', small, '--data', data])
    assert.equal(whole.code, 0, whole.stderr)
    assert.match(whole.stdout, /"state":"visited"/)
  })

  it('ends a crawl with a clear message, and makes a worker not ready', async (t) => {
    const data = join(makeTemporaryFolder(t), 'data')
    let stop = () => undefined as unknown
    const site = await servePlainSite(t, (path) => {
      if (path !== '/') stop()
      return path === '/' ? LINKS : 'page'
    })
    const crawl = startProgram([
      'crawl',
      `${site.origin}/`,
      '--data',
      data,
      ...FLAGS,
      '--delay',
      '50',
      '--per-host',
      '1',
    ])
    stop = () => crawl.child.kill('SIGINT')
    const { crawl_id } = parseSummary(await crawl.ended)
    damage(data, 'urls')
    const resumed = await runProgram(['resume', crawl_id, '--data', data, '--json'])
    assert.equal(resumed.code, 1, resumed.stderr)
    assert.match(resumed.stderr, SENTENCE)
    const { health } = await serve(t, data)
    const notReady = await waitUntil(async () => {
      const { status } = await fetch(`${health}/readyz`)
      return status === 200 ? null : status
    })
    assert.equal(notReady, 503)
    assert.match(await (await fetch(`${health}/readyz`)).text(), /the store is damaged/)
    assert.equal((await fetch(`${health}/healthz`)).status, 200)
  })

  it('is reported by the server, which is no longer ready', async (t) => {
    const { data, large, small } = await crawlTwice(t)
    damage(data, 'urls')
    const { address, health, log } = await serve(t, data)
    const ready = async (place: string) => (await fetch(`${place}/readyz`)).status
    assert.deepEqual([await ready(address), await ready(health)], [200, 200])
    const answer = await fetch(`${address}/api/v1/crawls/${large}/urls?limit=500&sort=url`)
    const problem = (await answer.json()) as Record<string, unknown>
    assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    assert.deepEqual([answer.status, problem['code']], [500, 'STORE_FAILED'])
    assert.doesNotMatch(JSON.stringify(problem), /report|store\.db/)
    assert.match(log(), SENTENCE)
    assert.equal(await ready(address), 503)
    assert.match(
      await (await fetch(`${address}/readyz`)).text(),
      /the store is damaged; see docs\/guides\/recovery\.md/,
    )
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
    const other = await fetch(`${address}/api/v1/crawls/${small}/urls`)
    assert.equal(other.status, 200)
    assert.equal(((await other.json()) as { items: unknown[] }).items.length, 1)
  })
})
