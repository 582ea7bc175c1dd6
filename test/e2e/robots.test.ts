// The effect of robots.txt on a crawl, as seen by the server.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type PlainResponse, type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import type { ExportRow } from '../testing/program.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const LINKS = '<a href="/open">o</a><a href="/private/a">p</a><a href="/private/open">q</a>'
const RULES = '# keep out\nUser-agent: *\nDisallow: /private\nAllow: /private/open\n'

/** A site with this robots.txt, whose pages all have the same links. */
function serve(t: TestContext, robots: PlainResponse): Promise<PlainSite> {
  return servePlainSite(t, (path) => (path === '/robots.txt' ? robots : LINKS))
}

async function crawl(t: TestContext, site: PlainSite, flags: string[] = []): Promise<Map<string, ExportRow>> {
  return (await crawlPlainSite(t, site, ['--retry-delay', '20', ...flags])).rows
}

const makeResponse = (status: number, body: string): PlainResponse => ({ status, body })

describe('robots.txt', () => {
  it('is requested first, and what it disallows is excluded with its line', async (t) => {
    const site = await serve(t, makeResponse(200, RULES))
    const rows = await crawl(t, site, ['--delay', '0'])
    assert.equal(site.paths()[0], '/robots.txt')
    assert.deepEqual(site.paths().sort(), ['/', '/open', '/private/open', '/robots.txt'])
    const denied = rows.get('/private/a')
    assert.deepEqual([denied?.state, denied?.attempts], ['excluded', 0])
    assert.equal(denied?.reason, 'robots line 3: Disallow: /private')
  })

  it('a group for our own name takes precedence', async (t) => {
    const site = await serve(t, makeResponse(200, `${RULES}User-agent: orbweaver\nDisallow: /open\n`))
    const rows = await crawl(t, site, ['--delay', '0'])
    assert.deepEqual([rows.get('/open')?.state, rows.get('/private/a')?.state], ['excluded', 'visited'])
  })

  it('a missing file allows everything', async (t) => {
    const site = await serve(t, makeResponse(404, ''))
    const rows = await crawl(t, site, ['--delay', '0'])
    assert.ok([...rows.values()].every((exportRow) => exportRow.state === 'visited'))
  })

  it('a server error allows nothing, and robots.txt is retried before the URL fails', async (t) => {
    const site = await serve(t, makeResponse(500, ''))
    const rows = await crawl(t, site, ['--delay', '0', '--retries', '1'])
    assert.deepEqual([rows.get('/')?.state, rows.get('/')?.reason], ['excluded', 'robots_unreachable: http_500'])
    assert.deepEqual(site.paths(), ['/robots.txt', '/robots.txt'])
  })

  it('a redirect is followed', async (t) => {
    const site = await serve(t, { status: 301, headers: { location: '/rules.txt' } })
    await crawl(t, site, ['--delay', '0'])
    assert.deepEqual(site.paths().slice(0, 2), ['/robots.txt', '/rules.txt'])
  })

  it('a redirect to a forbidden port allows nothing', async (t) => {
    const site = await serve(t, { status: 302, headers: { location: 'http://127.0.0.1:22/robots.txt' } })
    const other = await serve(t, makeResponse(404, ''))
    const seeds = [`${site.origin}/`, `${other.origin}/`]
    const { rows } = await crawlPlainSite(t, site, ['--delay', '0', '--retries', '0'], seeds)
    assert.deepEqual([rows.get('/')?.state, rows.get('/')?.reason], ['excluded', 'robots_unreachable: port_blocked'])
    assert.deepEqual(site.paths(), ['/robots.txt'])
  })

  it('a crawl delay is kept', async (t) => {
    const site = await serve(t, makeResponse(200, 'User-agent: *\nCrawl-delay: 0.5\n'))
    await crawl(t, site)
    const pages = site.requests.filter(({ path }) => path !== '/robots.txt').map(({ startedAt }) => startedAt)
    assert.equal(pages.length, 4)
    pages.forEach((at, i) => {
      if (i > 0) assert.ok(at - (pages[i - 1] ?? 0) >= 485, `gap of ${at - (pages[i - 1] ?? 0)} ms`)
    })
  })

  it('is ignored on demand', async (t) => {
    const site = await serve(t, makeResponse(200, RULES))
    const rows = await crawl(t, site, ['--delay', '0', '--ignore-robots'])
    assert.ok(!site.paths().includes('/robots.txt'))
    assert.equal(rows.get('/private/a')?.state, 'visited')
  })
})
