// `npm run test:e2e:fixed`: small sites with a known result, crawled through /crawl-runs. E2E_WWW=1 runs the case of a
// www variant also where the crawler is elsewhere; www.E2E_FIXTURE_HOST has to lead to this machine then.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it, type TestContext } from 'node:test'
import { type FixtureRun, fixtureAddress, fixtureHost, openRuns } from './testing/run-fixture.ts'

const cleanups: (() => unknown)[] = []
let crawl: (seedUrl: string) => Promise<FixtureRun>

before(async () => {
  crawl = await openRuns({ after: (cleanup) => cleanups.push(cleanup) })
})
after(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

/** Serves pages by path, or by host and path; returns the port. */
async function serve(t: TestContext, pages: Record<string, string>): Promise<number> {
  const server = createServer(({ headers: { host = '' }, url = '' }, response) => {
    const page = pages[`${host.replace(/:\d+$/, '')}${url}`] ?? pages[url]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' })
    response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, fixtureAddress, resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

async function crawlPages(t: TestContext, pages: Record<string, string>): Promise<Record<string, string>> {
  const origin = `http://${fixtureHost ?? '127.0.0.1'}:${await serve(t, pages)}`
  const { run, urls } = await crawl(`${origin}/`)
  assert.equal(run['status'], 'COMPLETED')
  return Object.fromEntries(urls.map((url) => [url.normalized_url.replace(origin, ''), url.status]))
}

it('a single page', async (t) => {
  assert.deepEqual(await crawlPages(t, { '/': '<p>Alone</p>' }), { '/': 'VISITED' })
})

it('a duplicate link, a fragment and a link to another host', async (t) => {
  const links = ['/a', '/a', '/a#part', 'http://elsewhere.test/'].map((href) => `<a href="${href}">x</a>`)
  assert.deepEqual(await crawlPages(t, { '/': links.join(''), '/a': 'a' }), { '/': 'VISITED', '/a': 'VISITED' })
})

it('a broken link', async (t) => {
  const expected = { '/': 'VISITED', '/missing': 'NOT_FOUND' }
  assert.deepEqual(await crawlPages(t, { '/': '<a href="/missing">x</a>' }), expected)
})

it('a cycle', async (t) => {
  const pages = { '/': '<a href="/a">x</a>', '/a': '<a href="/b">x</a>', '/b': '<a href="/">x</a><a href="/a">x</a>' }
  assert.deepEqual(await crawlPages(t, pages), { '/': 'VISITED', '/a': 'VISITED', '/b': 'VISITED' })
})

const skipsWww = fixtureHost !== null && process.env['E2E_WWW'] !== '1'

it('a www variant, which is in scope, and another subdomain, which is not', { skip: skipsWww }, async (t) => {
  const name = fixtureHost ?? 'site.localhost'
  const pages: Record<string, string> = {}
  const port = await serve(t, pages)
  pages[`${name}/`] = `<a href="http://www.${name}:${port}/">x</a><a href="http://cdn.${name}:${port}/">x</a>`
  pages[`www.${name}/`] = 'the twin'
  const { run, urls } = await crawl(`http://${name}:${port}/`)
  assert.deepEqual(run['allowed_hosts'], [name, `www.${name}`])
  assert.deepEqual(
    urls.map((url) => [url.normalized_url, url.status]),
    [
      [`http://${name}:${port}/`, 'VISITED'],
      [`http://www.${name}:${port}/`, 'VISITED'],
    ],
  )
})
