// Commands on a data directory that another process has: a server or a crawl in the foreground.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { makeTemporaryFolder, parseSummary, runProgram, startProgram } from '../testing/program.ts'
import { outputInProcess, runInProcess } from '../testing/run-in-process.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const FAST = ['--allow-private', '--ignore-robots', '--delay', '0', '--no-traps', '--json']
const SLOW = [...FAST, '--delay', '300']
const isVisiting = (line: string) => line.includes('"type":"progress"') && !line.includes('"visited":0,')

function serveSite(t: TestContext, pages: number) {
  const links = Array.from({ length: pages }, (_, i) => `<a href="/${i}">x</a>`).join('')
  return servePlainSite(t, (path) => (path === '/' ? links : `page ${path}`))
}

async function listCrawls(data: string): Promise<{ crawl_id: string; status: string }[]> {
  const stdout = await outputInProcess(['crawls', '--json', '--data', data])
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

describe('a data directory that a server has', { concurrency: true }, () => {
  it('takes every change, and crawl shows a crawl that the server runs until it ends', async (t) => {
    const { data } = await startServer(t)
    const site = await serveSite(t, 20)
    const crawled = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST])
    assert.equal(crawled.code, 0, crawled.stderr)
    assert.match(crawled.stderr, /The server with this data directory \(pid \d+\) runs the crawl/)
    const { status, states } = parseSummary(crawled)
    assert.deepEqual([status, states['visited']], ['completed', 21])
    await outputInProcess(['policies', 'set', 'a.example', 'delay=2000', '--data', data])
    assert.match(await outputInProcess(['policies', 'list', '--data', data]), /a\.example +2000 ms/)
    await outputInProcess(['monitors', 'add', 'apples', 'words', 'apple', '--data', data])
    assert.match(await outputInProcess(['monitors', 'list', '--data', data]), /apples/)
    await outputInProcess(['token', 'create', 'me', 'read', '--data', data])
    const indexed = await outputInProcess(['index', 'run', '--data', data])
    assert.match(indexed, /The server has indexed every page/)
    assert.match(await outputInProcess(['search', 'page', '--data', data]), /20/)
  })

  it('pauses, resumes and cancels what the server runs', async (t) => {
    const { data } = await startServer(t)
    const site = await serveSite(t, 2000)
    const started = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...SLOW, '--detach'])
    assert.equal(started.code, 0, started.stderr)
    const id = (JSON.parse(started.stdout) as { crawl_id: string }).crawl_id
    await outputInProcess(['pause', id, '--data', data])
    assert.deepEqual((await listCrawls(data))[0]?.status, 'paused')
    const resumed = startProgram(['resume', id.slice(0, 8), '--data', data, '--json'])
    await resumed.waitForLine(isVisiting)
    resumed.child.kill('SIGINT')
    const left = await resumed.ended
    assert.equal(left.code, 3, left.stderr)
    assert.match(left.stderr, /The crawl continues\. Pause it with: /)
    assert.deepEqual((await listCrawls(data))[0]?.status, 'running')
    await outputInProcess(['cancel', id, '--data', data])
    // Requests in flight are finished first.
    await waitUntil(async () => (await listCrawls(data))[0]?.status === 'cancelled')
  })
})

describe('a data directory that a crawl has', { concurrency: true }, () => {
  async function crawling(t: TestContext, data = join(makeTemporaryFolder(t), 'data')) {
    const site = await serveSite(t, 2000)
    const program = startProgram(['crawl', `${site.origin}/`, '--data', data, ...SLOW])
    t.after(() => program.child.kill('SIGKILL'))
    await program.waitForLine(isVisiting)
    const [crawl] = await listCrawls(data)
    return { site, data, program, crawlId: crawl?.crawl_id ?? '' }
  }

  for (const [order, status, code] of [
    ['pause', 'paused', 3],
    ['cancel', 'cancelled', 0],
  ] as const) {
    it(`takes changes of others, and a ${order} ends the crawl`, async (t) => {
      const { data, program, crawlId } = await crawling(t)
      await outputInProcess(['policies', 'set', 'a.example', 'delay=2000', '--data', data])
      await outputInProcess(['monitors', 'add', 'apples', 'words', 'apple', '--data', data])
      await outputInProcess([order, crawlId, '--data', data])
      const ended = await program.ended
      assert.equal(ended.code, code, ended.stderr)
      assert.equal(parseSummary(ended).status, status)
      assert.ok(!existsSync(join(data, 'store.sock')))
    })
  }

  it('runs one crawl only, and says so', async (t) => {
    const { data, program, site, crawlId } = await crawling(t)
    const second = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST])
    assert.equal(second.code, 1)
    assert.match(second.stderr, new RegExp(`in use by process ${program.child.pid}, which runs no other crawls`))
    const detached = await runProgram(['crawl', `${site.origin}/`, '--data', data, ...FAST, '--detach'])
    assert.equal(detached.code, 2)
    assert.match(detached.stderr, /--detach needs a process that runs the crawl/)
    assert.equal((await listCrawls(data)).length, 1)
    const server = await runProgram(['start', '--data', data])
    assert.equal(server.code, 1)
    assert.match(server.stderr, new RegExp(`Process ${program.child.pid} is crawling ${site.origin}/ in the data`))
    assert.match(server.stderr, new RegExp(`See its progress with: .* status ${crawlId.slice(0, 8)} --data`))
  })

  it('can be changed after its process was killed, although the socket is still there', async (t) => {
    const { data, program, crawlId } = await crawling(t)
    program.child.kill('SIGKILL')
    await program.ended
    assert.ok(existsSync(join(data, 'store.sock')))
    const cancelled = await runInProcess(['cancel', crawlId, '--data', data])
    assert.equal(cancelled.code, 0, cancelled.stderr)
  })
})

it('the commands of a server by its address', async (t) => {
  const { address } = await startServer(t)
  const site = await serveSite(t, 20)
  const where = ['--server', address]
  const crawled = await runProgram(['crawl', `${site.origin}/`, ...FAST, ...where])
  assert.equal(crawled.code, 0, crawled.stderr)
  const { crawl_id: id, states } = parseSummary(crawled)
  assert.equal(states['visited'], 21)
  const exported = await outputInProcess(['export', id.slice(0, 8), ...where])
  assert.equal(exported.trim().split('\n').length, 21)
  assert.match(await outputInProcess(['traps', id, ...where]), /No URL pattern was excluded/)
  const workers = await runInProcess(['drain', 'nobody', ...where])
  assert.equal(workers.code, 2)
  assert.match(workers.stderr, /List them with: /)
  const refused = await runInProcess(['crawl', 'http://127.0.0.1/', ...where])
  assert.match(refused.stderr, /with --allow-private, or single ones with --allow\./)
})
