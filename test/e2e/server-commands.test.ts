// Commands print the same for a server's address as for its data directory.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '../../src/api/client.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { parseSummary, runProgram } from '../testing/program.ts'
import { runInProcess } from '../testing/run-in-process.ts'
import { startServer, type TestServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const FAST = ['--allow-private', '--delay', '0', '--no-traps', '--json']

describe('with --server', () => {
  let server: TestServer
  let origin = ''
  let ids: string[] = []

  const cleanUps: (() => unknown)[] = []
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  before(async () => {
    const t = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) }
    server = await startServer(t)
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt') return `User-agent: *\nSitemap: ${origin}/map.xml`
      if (path === '/map.xml') return null
      return path === '/' ? '<a href="/a">x</a> <a href="/b">y</a>' : `page ${path}`
    })
    origin = site.origin
    for (const extra of [[], ['--max-pages', '2']]) {
      const crawled = await runProgram(['crawl', `${origin}/`, ...FAST, ...extra, '--server', server.address])
      assert.equal(crawled.code, 0, crawled.stderr)
      ids = [...ids, parseSummary(crawled).crawl_id]
    }
    const indexed = await runInProcess(['index', 'run', '--server', server.address])
    assert.match(indexed.stdout, /The server has indexed every page/)
  })

  const commands: [name: string, args: () => string[]][] = [
    ['status', () => [ids[0] ?? '']],
    ['crawls', () => []],
    ['verify', () => [ids[0]?.slice(0, 8) ?? '']],
    ['politeness', () => [ids[0] ?? '']],
    ['politeness', () => [ids[0] ?? '', '--json']],
    ['traps', () => [ids[0] ?? '']],
    ['page', () => [`${origin}/a`]],
    ['page', () => [`${origin}/a`, '--text']],
    ['page', () => [`${origin}/a`, '--raw']],
    ['page', () => [`${origin}/a`, '--wire']],
    ['page', () => [`${origin}/a`, '--json', '--version', '1']],
    ['page', () => [`${origin}/nowhere`]],
    ['history', () => [`${origin}/`]],
    ['history', () => [`${origin}/`, '--json']],
    ['changes', () => [ids[0] ?? '']],
    ['search', () => ['page', '--crawl', ids[0] ?? '']],
    ['search', () => ['page', '--crawl', 'nothing']],
    ['index', () => ['status', '--json']],
    ['compare', () => ids],
    ['compare', () => [...ids, '--json']],
  ]
  // Removes times, which each search measures.
  const withoutTimes = (text: string) => text.replace(/in [\d,]+ ms/g, '').replace(/--(?:server|data) \S+/g, '')

  for (const [name, args] of commands) {
    it(`${name} prints the same as on the data directory`, async () => {
      const local = await runInProcess([name, ...args(), '--data', server.data])
      const remote = await runInProcess([name, ...args(), '--server', server.address])
      assert.equal(withoutTimes(remote.stdout), withoutTimes(local.stdout))
      assert.equal(remote.code, local.code, remote.stderr)
      assert.ok(local.stdout !== '' || local.code !== 0, 'nothing was printed')
    })
  }

  it('workers lists the workers of the server', async () => {
    const { stdout, code } = await runInProcess(['workers', '--server', server.address, '--json'])
    assert.equal(code, 0)
    assert.equal((JSON.parse(stdout) as { state: string }).state, 'working')
  })

  it('status lists sitemaps that could not be read', async () => {
    const { stdout } = await runInProcess(['status', ids[0] ?? '', '--server', server.address])
    assert.match(stdout, /unreadable sitemaps:\n {2}http\S+\/map\.xml/)
  })

  it('drain stops the last worker only with --force', async () => {
    const [worker] = (await createClient({ baseUrl: server.address }).listWorkers()).items
    for (const where of [
      ['--server', server.address],
      ['--data', server.data],
    ]) {
      const asked = await runInProcess(['drain', worker?.worker_id ?? '', ...where])
      assert.equal(asked.code, 2)
      assert.match(asked.stderr, /is the only worker.* run: \.\/orbweaver drain \w+ --force --(?:server|data) /)
    }
    const [row] = (await createClient({ baseUrl: server.address }).listWorkers()).items
    assert.equal(row?.state, 'working')
  })

  it('open prints the address of the web app, also if only the data directory is named', async () => {
    const [id = ''] = ids
    for (const where of [
      ['--server', server.address],
      ['--data', server.data],
    ]) {
      const { stdout, stderr } = await runInProcess(['open', id.slice(0, 8), ...where])
      assert.equal(stdout, `${server.address}/crawls/${id}\n`, stderr)
    }
  })

  it('delete asks for --yes where nobody can answer, then deletes the crawl', async () => {
    const [, id = ''] = ids
    const asked = await runInProcess(['delete', id, '--server', server.address])
    assert.equal(asked.code, 2)
    assert.match(asked.stderr, /run: \.\/orbweaver delete \w{8} --yes --server /)
    assert.equal((await runInProcess(['delete', id, '--yes', '--server', server.address])).stdout, 'Deleted.\n')
    const gone = await runInProcess(['status', id, '--server', server.address])
    assert.match(gone.stderr, /has no crawl/)
    const [first = ''] = ids
    assert.equal((await runInProcess(['delete', first, '--yes', '--data', server.data])).stdout, 'Deleted.\n')
    assert.equal((await runInProcess(['crawls', '--server', server.address])).stdout, 'No crawls yet.\n')
  })

  it('resume takes the newest unfinished crawl, and follows it unless --detach is given', async () => {
    const onServer = ['--server', server.address]
    const nothing = await runInProcess(['resume', ...onServer])
    assert.match(nothing.stderr, /There is no unfinished crawl to resume/)
    const flags = ['--allow-private', '--delay', '60000', '--detach', '--json']
    const started = await runInProcess(['crawl', `${origin}/`, ...flags, ...onServer])
    assert.equal(started.code, 0, started.stderr)
    const { crawl_id: id } = JSON.parse(started.stdout) as { crawl_id: string }
    const isRunning = async () => /^Running/.test((await runInProcess(['status', id, ...onServer])).stdout)

    await runInProcess(['pause', id, ...onServer])
    assert.equal(await isRunning(), false)
    const detached = await runInProcess(['resume', '--detach', ...onServer])
    assert.match(detached.stdout, new RegExp(`^Resumed crawl ${id}\\. See its status with: `))
    assert.equal(await isRunning(), true)

    await runInProcess(['pause', id, ...onServer])
    const followed = runInProcess(['resume', ...onServer])
    await waitUntil(isRunning)
    await runInProcess(['cancel', id, ...onServer])
    const { code, stdout, stderr } = await followed
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Cancelled\.$/m)
  })
})
