// The log of a crawling server: the outcome of every URL at the level debug, and no URLs at other levels.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createClient } from '../../src/api/client.ts'
import { redact } from '../../src/lib/redact.ts'
import { type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import { exportRows } from '../testing/run-in-process.ts'
import { startServer } from '../testing/start-server.ts'
import { waitUntil } from '../testing/wait-until.ts'

const PAGES = 40
const SECRET = 'sesame'
const SETTINGS = { allow_private: true, delay: 0, per_host: 4, retry_delay: 20, cooldown: 0, traps: false }

type Line = Record<string, string | number>

/**
 * A tree of pages, one of which is missing and one redirected. The first page has links with secrets in them, one of
 * them an invalid URL.
 */
function serveTree(t: TestContext): Promise<PlainSite> {
  return servePlainSite(t, (path) => {
    if (path.startsWith('/private')) return 'Hello'
    const n = path === '/' ? 0 : Number(path.slice(1))
    if (Number.isNaN(n) || n === PAGES - 1) return null
    if (n === PAGES - 2) return { status: 301, headers: { location: '/1' } }
    const children = [2 * n + 1, 2 * n + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
    const secret = n === 0 ? [`/private?token=${SECRET}`, `http://me:${SECRET}@[/`] : []
    return [...children, ...secret].map((link) => `<a href="${link}">x</a>`).join('')
  })
}

async function serveWithLog(t: TestContext, level: string) {
  const flags = ['--threads', '2', '--log-format', 'json', '--log-level', level]
  const { program, address, data } = await startServer(t, { flags })
  const client = createClient({ baseUrl: address })
  return {
    data,
    client,
    /** Crawls until the log says that the crawl ended; returns its id. */
    async crawl(origin: string): Promise<string> {
      const { crawl_id } = await client.createCrawl({ body: { url: `${origin}/`, settings: SETTINGS } })
      const isOver = (line: string) => line.includes(crawl_id) && line.includes('crawl ended here')
      await waitUntil(() => program.stderrText().split('\n').some(isOver))
      assert.equal((await client.getCrawl({ params: { crawl_id } })).status, 'completed')
      return crawl_id
    },
    async stop(): Promise<{ stderr: string; lines: Line[] }> {
      program.child.kill('SIGTERM')
      const { code, stderr } = await program.ended
      assert.equal(code, 0, stderr)
      const lines = stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
      return { stderr, lines }
    },
  }
}

function aboutUrls(lines: Line[], crawlId: string): Line[] {
  return lines.filter(({ level, crawl, url }) => level === 'debug' && crawl === crawlId && url !== undefined)
}

describe('the log of a server', () => {
  it('at the level debug has a line for every URL, and no secret', async (t) => {
    const site = await serveTree(t)
    const server = await serveWithLog(t, 'debug')
    const crawlId = await server.crawl(site.origin)
    const { stderr, lines } = await server.stop()
    const rows = await exportRows(server.data, crawlId)
    assert.equal(rows.length, PAGES + 1)
    const urlLines = aboutUrls(lines, crawlId)
    const [started] = lines.filter(({ event }) => event === 'crawl started')
    const { host } = new URL(site.origin)
    for (const { url, state } of rows) {
      const own = urlLines.filter((line) => line.url === redact(url))
      assert.deepEqual(
        own.map((line) => [line.state, line.host, line.worker, line.attempt]),
        [[state, host, started?.worker, 1]],
        url,
      )
    }
    const eventOf = (path: string) => urlLines.find(({ url }) => url === site.origin + path)?.event
    const events = [eventOf('/'), eventOf(`/${PAGES - 1}`), eventOf(`/${PAGES - 2}`)]
    assert.deepEqual(events, ['url visited', 'url not found', 'url redirected'])
    const dropped = lines.filter(({ event }) => event === 'link dropped')
    assert.deepEqual(
      dropped.map(({ level, crawl, link, page }) => [level, crawl, link, page]),
      [['debug', crawlId, 'http://***@[/', `${site.origin}/`]],
    )
    assert.ok(site.paths().includes(`/private?token=${SECRET}`))
    assert.doesNotMatch(stderr, new RegExp(SECRET))
  })

  it('has no line for a URL unless the level is debug, which may change while it runs', async (t) => {
    const site = await serveTree(t)
    const server = await serveWithLog(t, 'info')
    const before = await server.crawl(site.origin)
    await server.client.setLogLevel({ body: { level: 'debug' } })
    const during = await server.crawl(site.origin)
    await server.client.setLogLevel({ body: { level: 'info' } })
    const after = await server.crawl(site.origin)
    const { lines } = await server.stop()
    const counts = [before, during, after].map((id) => aboutUrls(lines, id).length)
    assert.deepEqual(counts, [0, PAGES + 1, 0])
    const ended = lines.filter(({ event }) => event === 'crawl ended here').map(({ crawl }) => crawl)
    assert.deepEqual(ended, [before, during, after])
  })
})
