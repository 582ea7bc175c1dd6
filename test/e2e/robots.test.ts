// The effect of robots.txt on a crawl, as seen by the server.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type PlainResponse, type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import type { CleanupContext, ExportRow } from '../testing/program.ts'
import { crawlPlainSite, crawlPlainSites } from './testing/plain-crawl.ts'

const LINKS = '<a href="/open">o</a><a href="/private/a">p</a><a href="/private/open">q</a>'
const RULES = '# keep out\nUser-agent: *\nDisallow: /private\nAllow: /private/open\n'

/** A site with this robots.txt, whose pages all have the same links. */
function serve(t: CleanupContext, robots: PlainResponse): Promise<PlainSite> {
  return servePlainSite(t, (path) => (path === '/robots.txt' ? robots : LINKS))
}

const FLAGS = ['--retry-delay', '20']
const makeResponse = (status: number, body: string): PlainResponse => ({ status, body })

/** Each response is served by a separate site. */
const RESPONSES = {
  rules: makeResponse(200, RULES),
  ownGroup: makeResponse(200, `${RULES}User-agent: orbweaver\nDisallow: /open\n`),
  missing: makeResponse(404, ''),
  serverError: makeResponse(500, ''),
  redirect: { status: 301, headers: { location: '/rules.txt' } },
  forbiddenPort: { status: 302, headers: { location: 'http://127.0.0.1:22/robots.txt' } },
} satisfies Record<string, PlainResponse>

describe('robots.txt', () => {
  const results = new Map<string, { site: PlainSite; rows: Map<string, ExportRow> }>()

  before(async () => {
    const sites = await Promise.all(Object.values(RESPONSES).map((response) => serve({ after }, response)))
    const crawled = await crawlPlainSites({ after }, sites, [...FLAGS, '--delay', '0', '--retries', '1'])
    for (const [i, name] of Object.keys(RESPONSES).entries()) {
      const [site, rows] = [sites[i], crawled[i]]
      if (site !== undefined && rows !== undefined) results.set(name, { site, rows })
    }
  })

  function resultOf(name: keyof typeof RESPONSES) {
    const result = results.get(name)
    assert.ok(result !== undefined)
    return result
  }

  it('is requested first, and what it disallows is excluded with its line', () => {
    const { site, rows } = resultOf('rules')
    assert.equal(site.paths()[0], '/robots.txt')
    assert.deepEqual(site.paths().sort(), ['/', '/open', '/private/open', '/robots.txt'])
    const denied = rows.get('/private/a')
    assert.deepEqual([denied?.state, denied?.attempts], ['excluded', 0])
    assert.equal(denied?.reason, 'robots line 3: Disallow: /private')
  })

  it('a group for our own name takes precedence', () => {
    const { rows } = resultOf('ownGroup')
    assert.deepEqual([rows.get('/open')?.state, rows.get('/private/a')?.state], ['excluded', 'visited'])
  })

  it('a missing file allows everything', () => {
    const { rows } = resultOf('missing')
    assert.deepEqual(
      [...rows.values()].map(({ state }) => state),
      ['visited', 'visited', 'visited', 'visited'],
    )
  })

  it('a server error allows nothing, and robots.txt is retried before the URL fails', () => {
    const { site, rows } = resultOf('serverError')
    assert.deepEqual([rows.get('/')?.state, rows.get('/')?.reason], ['excluded', 'robots_unreachable: http_500'])
    // There are more requests if the machine is so slow that a failure has expired before it is read.
    assert.ok(site.paths().length >= 2)
    assert.deepEqual(new Set(site.paths()), new Set(['/robots.txt']))
  })

  it('a redirect is followed', () => {
    assert.deepEqual(resultOf('redirect').site.paths().slice(0, 2), ['/robots.txt', '/rules.txt'])
  })

  it('a redirect to a forbidden port allows nothing', () => {
    const { site, rows } = resultOf('forbiddenPort')
    assert.deepEqual([rows.get('/')?.state, rows.get('/')?.reason], ['excluded', 'robots_unreachable: port_blocked'])
    assert.deepEqual(new Set(site.paths()), new Set(['/robots.txt']))
  })

  it('a crawl delay is kept', async (t) => {
    const site = await serve(t, makeResponse(200, 'User-agent: *\nCrawl-delay: 0.5\n'))
    await crawlPlainSite(t, site, FLAGS)
    const pages = site.requests.filter(({ path }) => path !== '/robots.txt').map(({ startedAt }) => startedAt)
    assert.equal(pages.length, 4)
    pages.forEach((at, i) => {
      // A busy machine may deliver a request late, which is then closer to the next.
      if (i > 0) assert.ok(at - (pages[i - 1] ?? 0) >= 350, `gap of ${at - (pages[i - 1] ?? 0)} ms`)
    })
  })

  it('is ignored on demand', async (t) => {
    const site = await serve(t, makeResponse(200, RULES))
    const { rows } = await crawlPlainSite(t, site, [...FLAGS, '--delay', '0', '--ignore-robots'])
    assert.ok(!site.paths().includes('/robots.txt'))
    assert.equal(rows.get('/private/a')?.state, 'visited')
  })
})
