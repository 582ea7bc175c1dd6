import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Content, LinkSource, LinkTarget, Site, SiteNode } from '../../src/demo/site-model.ts'
import { findDifferences } from './compare-crawl.ts'
import { type ExpectedCrawlOptions, expectCrawl } from './expected-crawl.ts'

const ORIGIN = 'http://site.test'

function linksTo(targets: (string | LinkTarget)[], linkSource: LinkSource = 'a'): Content {
  const links = targets.map((to) => {
    const linkTarget: LinkTarget = typeof to === 'string' ? { kind: 'node', path: to } : to
    return { via: linkSource, prefix: 'none' as const, href: '', target: linkTarget }
  })
  return { title: 'tiny', base: null, links }
}

const page = (path: string, ...to: (string | LinkTarget)[]): SiteNode => ({ path, kind: 'page', content: linksTo(to) })

function redirect(path: string, to: string | LinkTarget): SiteNode {
  const linkTarget: LinkTarget = typeof to === 'string' ? { kind: 'node', path: to } : to
  return { path, kind: 'redirect', status: 301, to: { prefix: 'none', href: '', target: linkTarget } }
}

function site(...nodes: SiteNode[]): Site {
  return { seed: 0, nodes: new Map(nodes.map((node) => [node.path, node])) }
}

const PLAN: ExpectedCrawlOptions = { seeds: [`${ORIGIN}/`], maxDepth: null, retries: 2, followRedirects: true }

/** Lines such as `path -> state status @depth`, which are readable in a failure. */
function ledger(of: Site, plan: Partial<ExpectedCrawlOptions> = {}): Record<string, string> {
  const rows = expectCrawl([{ site: of, origin: ORIGIN }], { ...PLAN, ...plan })
  const short = [...rows].map(([url, row]) => [
    url.startsWith(ORIGIN) ? url.slice(ORIGIN.length) : url,
    `${row.state} ${row.httpStatus} @${row.depth} x${row.attempts}`,
  ])
  return Object.fromEntries(short)
}

test('the depth of a URL is its shortest path from a seed', () => {
  const ring = site(page('/', '/a', '/c'), page('/a', '/b'), page('/b', '/c'), page('/c', '/', '/d'), page('/d'))
  assert.deepEqual(ledger(ring), {
    '/': 'visited 200 @0 x1',
    '/a': 'visited 200 @1 x1',
    '/c': 'visited 200 @1 x1',
    '/b': 'visited 200 @2 x1',
    '/d': 'visited 200 @2 x1',
  })
})

test('URLs beyond the depth limit are not in the ledger', () => {
  const chain = site(page('/', '/a'), page('/a', '/b'), page('/b', '/c'), page('/c'))
  assert.deepEqual(Object.keys(ledger(chain, { maxDepth: 1 })), ['/', '/a'])
  assert.deepEqual(Object.keys(ledger(chain, { maxDepth: 0 })), ['/'])
})

test('a redirect costs no depth, and a shorter path through one wins', () => {
  const graph = site(page('/', '/r', '/a'), redirect('/r', '/b'), page('/a', '/b'), page('/b', '/c'), page('/c'))
  assert.deepEqual(ledger(graph, { maxDepth: 2 }), {
    '/': 'visited 200 @0 x1',
    '/r': 'redirected 301 @1 x1',
    '/b': 'visited 200 @1 x1',
    '/a': 'visited 200 @1 x1',
    '/c': 'visited 200 @2 x1',
  })
})

test('a redirect that is not followed hides its target', () => {
  const graph = site(page('/', '/r'), redirect('/r', '/b'), page('/b'))
  assert.deepEqual(Object.keys(ledger(graph, { followRedirects: false })), ['/', '/r'])
})

test('redirect loops end, and redirects out of scope add nothing', () => {
  const away: LinkTarget = { kind: 'external', url: 'http://other.test/' }
  const graph = site(page('/', '/x', '/out'), redirect('/x', '/y'), redirect('/y', '/x'), redirect('/out', away))
  assert.deepEqual(ledger(graph), {
    '/': 'visited 200 @0 x1',
    '/x': 'redirected 301 @1 x1',
    '/out': 'redirected 301 @1 x1',
    '/y': 'redirected 301 @1 x1',
  })
})

test('each kind of response has its state, and only temporary failures are retried', () => {
  const empty = linksTo(['/never'])
  const flaky = { kind: 'flaky', content: empty, status: 503, retryAfter: null } as const
  const graph = site(
    page('/', '/401', '/403', '/404', '/410', '/500', '/reset', '/pdf', '/heals', '/late', '/unknown'),
    { path: '/401', kind: 'unauthorised', content: empty },
    { path: '/403', kind: 'forbidden', content: empty },
    { path: '/404', kind: 'missing', content: empty },
    { path: '/410', kind: 'gone', content: empty },
    { path: '/500', kind: 'broken', content: empty },
    { path: '/reset', kind: 'reset' },
    { path: '/pdf', kind: 'document', bytes: 10 },
    { ...flaky, path: '/heals', failures: 2, content: linksTo(['/found']) },
    { ...flaky, path: '/late', failures: 3 },
    page('/found'),
    page('/never'),
  )
  assert.deepEqual(ledger(graph), {
    '/': 'visited 200 @0 x1',
    '/401': 'http_error 401 @1 x1',
    '/403': 'forbidden 403 @1 x1',
    '/404': 'not_found 404 @1 x1',
    '/410': 'http_error 410 @1 x1',
    '/500': 'http_error 500 @1 x3',
    '/reset': 'failed null @1 x3',
    '/pdf': 'visited 200 @1 x1',
    '/heals': 'visited 200 @1 x3',
    '/late': 'http_error 503 @1 x3',
    '/unknown': 'not_found 404 @1 x1',
    '/found': 'visited 200 @2 x1',
  })
})

test('links that must not be followed are not', () => {
  const graph = site({ path: '/', kind: 'page', content: linksTo(['/a'], 'comment') }, page('/a'))
  assert.deepEqual(Object.keys(ledger(graph)), ['/'])
})

test('the www variant of a seed host is in scope, other hosts are not', () => {
  const twin: LinkTarget = { kind: 'external', url: 'http://www.site.test/w' }
  const other: LinkTarget = { kind: 'external', url: 'http://sub.site.test/' }
  const placed = [
    { site: site(page('/', twin, other)), origin: ORIGIN },
    { site: site(page('/w', '/x'), page('/x')), origin: 'http://www.site.test' },
    { site: site(page('/')), origin: 'http://sub.site.test' },
  ]
  assert.deepEqual(
    [...expectCrawl(placed, PLAN).keys()],
    [`${ORIGIN}/`, 'http://www.site.test/w', 'http://www.site.test/x'],
  )
})

test('findDifferences reports missing, wrong, duplicate and surplus rows', () => {
  const expected = expectCrawl([{ site: site(page('/', '/a', '/b'), page('/a'), page('/b')), origin: ORIGIN }], PLAN)
  const row = (path: string, depth: number) => ({ url: ORIGIN + path, state: 'visited', httpStatus: 200, depth })
  assert.deepEqual(findDifferences(expected, [row('/', 0), row('/a', 1), row('/b', 1)]), [])
  assert.deepEqual(findDifferences(expected, [row('/', 0), row('/', 0), row('/a', 2), row('/z', 1)]), [
    'http://site.test/ is in the ledger twice',
    'http://site.test/a is at depth 2, should be at 1',
    'http://site.test/z should not be in the ledger (visited at depth 1)',
    'http://site.test/b is missing (visited at depth 1)',
  ])
})
