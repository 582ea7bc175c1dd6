// What robots.txt means for a crawl, seen from the server.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { exportRows, run, summaryOf, temporaryFolder } from './program.ts'

const LINKS = '<a href="/open">o</a><a href="/private/a">p</a><a href="/private/open">q</a>'
const RULES = '# keep out\nUser-agent: *\nDisallow: /private\nAllow: /private/open\n'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function serve(
  t: TestContext,
  robots: Answer,
): Promise<{ origin: string; asked: { path: string; at: number }[] }> {
  const asked: { path: string; at: number }[] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', at: performance.now() })
    if (request.url === '/robots.txt') return robots(request, response)
    response.setHeader('content-type', 'text/html')
    response.end(LINKS)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function crawl(t: TestContext, origin: string, flags: string[] = []) {
  const data = join(temporaryFolder(t), 'data')
  const args = ['crawl', `${origin}/`, '--data', data, '--allow-private', '--retry-delay', '20', '--json', ...flags]
  const ended = await run(args)
  assert.equal(ended.code, 0, ended.stderr)
  const rows = await exportRows(data, summaryOf(ended).crawl_id)
  return new Map(rows.map((row) => [row.url.slice(origin.length), row]))
}

const answer =
  (status: number, body: string): Answer =>
  (_request, response) => {
    response.statusCode = status
    response.end(body)
  }

describe('robots.txt', () => {
  it('is asked for first, and what it denies is excluded with its line', async (t) => {
    const { origin, asked } = await serve(t, answer(200, RULES))
    const rows = await crawl(t, origin, ['--delay', '0'])
    assert.equal(asked[0]?.path, '/robots.txt')
    assert.deepEqual(asked.map(({ path }) => path).sort(), ['/', '/open', '/private/open', '/robots.txt'])
    const denied = rows.get('/private/a')
    assert.deepEqual([denied?.state, denied?.attempts], ['excluded', 0])
    assert.equal(denied?.reason, 'robots line 3: Disallow: /private')
  })

  it('a group for our own name goes before the others', async (t) => {
    const { origin } = await serve(t, answer(200, `${RULES}User-agent: orbweaver\nDisallow: /open\n`))
    const rows = await crawl(t, origin, ['--delay', '0'])
    assert.deepEqual([rows.get('/open')?.state, rows.get('/private/a')?.state], ['excluded', 'visited'])
  })

  it('a missing file allows everything', async (t) => {
    const { origin } = await serve(t, answer(404, ''))
    const rows = await crawl(t, origin, ['--delay', '0'])
    assert.ok([...rows.values()].every((row) => row.state === 'visited'))
  })

  it('a server error allows nothing, and is asked again before the url is given up', async (t) => {
    const { origin, asked } = await serve(t, answer(500, ''))
    const rows = await crawl(t, origin, ['--delay', '0', '--retries', '1'])
    assert.deepEqual([rows.get('/')?.state, rows.get('/')?.reason], ['excluded', 'robots_unreachable: http_500'])
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/robots.txt', '/robots.txt'],
    )
  })

  it('a redirect is followed', async (t) => {
    const { origin, asked } = await serve(t, (_request, response) => {
      response.writeHead(301, { location: '/rules.txt' })
      response.end()
    })
    await crawl(t, origin, ['--delay', '0'])
    assert.deepEqual(
      asked.slice(0, 2).map(({ path }) => path),
      ['/robots.txt', '/rules.txt'],
    )
  })

  it('a crawl delay is kept', async (t) => {
    const { origin, asked } = await serve(t, answer(200, 'User-agent: *\nCrawl-delay: 0.5\n'))
    await crawl(t, origin)
    const pages = asked.filter(({ path }) => path !== '/robots.txt').map(({ at }) => at)
    assert.equal(pages.length, 4)
    pages.forEach((at, i) => {
      if (i > 0) assert.ok(at - (pages[i - 1] ?? 0) >= 485, `gap of ${at - (pages[i - 1] ?? 0)} ms`)
    })
  })

  it('is left alone when told so', async (t) => {
    const { origin, asked } = await serve(t, answer(200, RULES))
    const rows = await crawl(t, origin, ['--delay', '0', '--ignore-robots'])
    assert.ok(!asked.some(({ path }) => path === '/robots.txt'))
    assert.equal(rows.get('/private/a')?.state, 'visited')
  })
})
