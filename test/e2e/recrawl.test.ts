// A site that changes while the real program watches it with --recrawl.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createClient } from '../../src/api/client.ts'
import { ChangingSite, htmlPage } from '../sites/changing-site.ts'
import { makeTemporaryFolder, type Program, parseSummary, runProgram, startProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const INTERRUPTED = 3
const FLAGS = ['--allow-private', '--ignore-robots', '--delay', '0', '--retry-delay', '10', '--no-traps', '--json']

async function serve(t: TestContext, pages: Parameters<typeof ChangingSite.serve>[0]): Promise<ChangingSite> {
  const site = await ChangingSite.serve(pages)
  t.after(() => site.close())
  return site
}

/** A crawl that visits everything again every second; it is killed when the test ends. */
function watch(t: TestContext, site: ChangingSite, data: string, ...more: string[]): Program {
  return start(t, ['crawl', `${site.origin}/`, '--data', data, '--recrawl', '1s', ...FLAGS, ...more])
}

function start(t: TestContext, args: string[]): Program {
  const program = startProgram(args)
  t.after(() => program.child.kill('SIGKILL'))
  return program
}

async function stop(program: Program) {
  program.child.kill('SIGINT')
  const result = await program.ended
  assert.equal(result.code, INTERRUPTED, result.stderr)
  return parseSummary(result)
}

function waitForVisits(site: ChangingSite, path: string, count: number): Promise<unknown> {
  return waitUntil(() => site.requestsOf(path).length >= count)
}

const isWatching = (line: string) => line.includes('"status":"watching"')

describe('crawl --recrawl', { concurrency: true }, () => {
  it('watches a site, finds new pages, and goes on after a stop', async (t) => {
    const site = await serve(t, { '/': htmlPage('Home', ['/a']), '/a': htmlPage('A') })
    const data = join(makeTemporaryFolder(t), 'data')
    const program = watch(t, site, data)
    await program.waitForLine(isWatching)
    site.pages.set('/new', htmlPage('New'))
    site.pages.set('/', htmlPage('Home', ['/a', '/new']))
    await waitForVisits(site, '/new', 2)
    const stopped = await stop(program)
    assert.equal(stopped.status, 'paused')
    const rows = await exportRows(data, stopped.crawl_id)
    assert.deepEqual(rows.map(({ url }) => new URL(url).pathname).toSorted(), ['/', '/a', '/new'])

    const before = site.requestsOf('/new').length
    const resumed = start(t, ['resume', '--data', data, '--json'])
    await waitForVisits(site, '/new', before + 2)
    await stop(resumed)
    const completed = await runProgram(['complete', stopped.crawl_id, '--data', data])
    assert.equal(completed.code, 0, completed.stderr)
    const status = await runProgram(['status', stopped.crawl_id, '--data', data, '--json'])
    const { status: last, states } = parseSummary(status)
    assert.deepEqual([last, states['visited'], states['queued']], ['completed', 3, 0])
    const verified = await runInProcess(['verify', stopped.crawl_id, '--data', data])
    assert.equal(verified.code, 0, verified.stdout)
  })

  it('kill -9 during revisits loses nothing', async (t) => {
    const paths = Array.from({ length: 20 }, (_, i) => `/${i}`)
    const pages = Object.fromEntries(paths.map((path) => [path, htmlPage(path)]))
    const site = await serve(t, { '/': htmlPage('Home', paths), ...pages })
    const data = join(makeTemporaryFolder(t), 'data')
    let program = watch(t, site, data)
    await program.waitForLine(isWatching)
    for (let kill = 1; kill <= 4; kill++) {
      const before = site.requests.length
      await waitUntil(() => site.requests.length > before + 5)
      program.child.kill('SIGKILL')
      await program.ended
      program = start(t, ['resume', '--data', data, '--json'])
    }
    const before = new Map(paths.map((path) => [path, site.requestsOf(path).length]))
    await waitUntil(() => paths.every((path) => site.requestsOf(path).length >= (before.get(path) ?? 0) + 2))
    const { crawl_id, total } = await stop(program)
    assert.equal(total, 21)
    const verified = await runInProcess(['verify', crawl_id, '--data', data])
    assert.equal(verified.code, 0, verified.stdout)
    assert.equal((await exportRows(data, crawl_id)).length, 21)
  })

  it('asks whether a page has changed, and archives only changes', async (t) => {
    const site = await serve(t, {
      '/': htmlPage('Home', ['/strong', '/dated', '/plain', '/changing']),
      '/strong': { ...htmlPage('Strong'), etag: '"1"' },
      '/dated': { ...htmlPage('Dated'), lastModified: 'Tue, 17 Nov 2026 10:00:00 GMT' },
      '/plain': htmlPage('Plain'),
      '/changing': { ...htmlPage('First'), etag: '"a"' },
    })
    const data = join(makeTemporaryFolder(t), 'data')
    const program = watch(t, site, data)
    const paths = ['/strong', '/dated', '/plain', '/changing']
    const isNotModified = (path: string) => site.requestsOf(path).some(({ status }) => status === 304)
    await waitUntil(() => ['/strong', '/dated', '/changing'].every(isNotModified))
    site.pages.set('/changing', { ...htmlPage('Second'), etag: '"b"' })
    const seen = site.requestsOf('/changing').length
    await waitForVisits(site, '/changing', seen + 3)
    const { crawl_id } = await stop(program)
    assert.ok(site.requestsOf('/plain').every(({ isConditional }) => !isConditional))
    const versions = await Promise.all(paths.map((path) => countVersions(data, `${site.origin}${path}`)))
    assert.deepEqual(versions, [1, 1, 1, 2])
    const rows = await exportRows(data, crawl_id)
    assert.deepEqual(
      rows.map(({ state, http_status, attempts }) => [state, http_status, attempts]),
      [1, 1, 1, 1, 2].map((attempts) => ['visited', 200, attempts]),
    )
    const verified = await runInProcess(['verify', crawl_id, '--data', data])
    assert.equal(verified.code, 0, verified.stdout)
  })

  it('finds the changes of a server whose validators lie', async (t) => {
    const site = await serve(t, { '/': htmlPage('Home', ['/liar']), '/liar': { ...htmlPage('First'), etag: '"1"' } })
    const data = join(makeTemporaryFolder(t), 'data')
    const program = watch(t, site, data)
    for (const title of ['Second', 'Third', 'Fourth']) {
      const before = site.requestsOf('/liar').length
      await waitForVisits(site, '/liar', before + 1)
      site.pages.set('/liar', { ...htmlPage(title), etag: '"1"' })
    }
    const before = site.requestsOf('/liar').length
    await waitForVisits(site, '/liar', before + 2)
    const { crawl_id } = await stop(program)
    assert.ok(site.requests.every(({ isConditional }) => !isConditional))
    const rows = await exportRows(data, crawl_id)
    assert.equal(rows.find(({ url }) => url.endsWith('/liar'))?.title, 'Fourth')
    assert.equal(await countVersions(data, `${site.origin}/liar`), 4)
  })

  it('marks a page that is gone, and sees it return', async (t) => {
    const site = await serve(t, { '/': htmlPage('Home', ['/a']), '/a': htmlPage('A') })
    const data = join(makeTemporaryFolder(t), 'data')
    const program = watch(t, site, data)
    await waitForVisits(site, '/a', 1)
    const page = site.pages.get('/a')
    site.pages.delete('/a')
    await program.waitForLine((line) => line.includes('"not_found":1'))
    if (page !== undefined) site.pages.set('/a', page)
    await waitUntil(() => site.requestsOf('/a').at(-1)?.status === 200)
    await program.waitForLine((line) => line.includes('"status":"watching"') && line.includes('"visited":2'))
    const { crawl_id } = await stop(program)
    const rows = await exportRows(data, crawl_id)
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['visited', 'visited'],
    )
  })

  it('starts and ends on a server by a change of settings', async (t) => {
    const site = await serve(t, { '/': { ...htmlPage('Home', ['/a']), etag: '"1"' }, '/a': htmlPage('A') })
    const { address } = await startServer(t)
    const client = createClient({ baseUrl: address })
    const settings = { allow_private: true, ignore_robots: true, delay: 0, traps: false }
    const { crawl_id } = await client.createCrawl({ body: { url: `${site.origin}/`, settings } })
    const params = { crawl_id }
    const waitForStatus = (status: string) =>
      waitUntil(async () => (await client.getCrawl({ params })).status === status, { pollMs: 100 })
    await waitForStatus('completed')
    assert.equal(site.requests.length, 2)
    await client.changeCrawl({ params, body: { settings: { recrawl: '1s' } } })
    await waitForVisits(site, '/a', 3)
    await client.changeCrawl({ params, body: { settings: { recrawl: '1d' } } })
    const { states } = await waitUntil(
      async () => {
        const crawl = await client.getCrawl({ params })
        const isTomorrow = Date.parse(crawl.next_visit_at ?? '') > Date.now() + 20 * 3_600_000
        return crawl.status === 'watching' && isTomorrow ? crawl : null
      },
      { pollMs: 100 },
    )
    assert.equal(states.visited, 2)
    await client.changeCrawl({ params, body: { settings: { recrawl: 'off' } } })
    await waitForStatus('completed')
  })

  it('says in words when the next visit is', async (t) => {
    const site = await serve(t, { '/': htmlPage('Home') })
    const data = join(makeTemporaryFolder(t), 'data')
    const program = start(t, ['crawl', `${site.origin}/`, '--data', data, '--recrawl', '6h', ...FLAGS])
    await program.waitForLine(isWatching)
    const [id = ''] = await readIds(data)
    const { stdout } = await runProgram(['status', id, '--data', data])
    assert.match(stdout, /^Watching, next visit in 6 h\./)
    await stop(program)
  })
})

async function readIds(data: string): Promise<string[]> {
  const { stdout } = await runInProcess(['crawls', '--data', data, '--json'])
  return [...stdout.matchAll(/"crawl_id":"([^"]+)"/g)].map(([, id = '']) => id)
}

async function countVersions(data: string, url: string): Promise<number> {
  const { stdout, stderr, code } = await runInProcess(['history', url, '--data', data, '--json'])
  assert.equal(code, 0, stderr)
  return stdout.trim().split('\n').length
}
