// Robots directives in pages and headers: which URLs are fetched, and what is recorded.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type PlainResponse, type PlainSite, servePlainSite } from '../sites/plain-site.ts'
import type { CleanupContext, ExportRow } from '../testing/program.ts'
import { crawlPlainSite, crawlPlainSites } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--ignore-robots']

const PAGES: Record<string, PlainResponse | string> = {
  '/': ['meta', 'ours', 'theirs', 'header', 'rel', 'noindex', 'text']
    .map((name) => `<a href="/${name}">x</a>`)
    .join(''),
  '/meta': '<meta name="robots" content="nofollow"><a href="/from-meta">x</a>',
  '/ours': '<meta name="orbweaver" content="none"><a href="/from-ours">x</a>',
  '/theirs': '<meta name="otherbot" content="none"><a href="/from-theirs">x</a>',
  '/header': {
    headers: { 'x-robots-tag': ['otherbot: noindex', 'orbweaver: nofollow'] },
    body: '<a href="/from-header">x</a>',
  },
  '/rel': [
    '<a rel="nofollow" href="/rel-nofollow">x</a><a rel="external UGC" href="/rel-ugc">x</a>',
    '<a rel="sponsored" href="/rel-sponsored">x</a><a rel="noopener" href="/rel-noopener">x</a>',
  ].join(''),
  '/noindex': {
    headers: { link: '</proper>; rel="canonical"' },
    body: '<meta name="robots" content="noindex"><a href="/from-noindex">x</a>',
  },
}

const serveAll = (t: CleanupContext) => servePlainSite(t, (path) => PAGES[path] ?? 'page')

async function serveText(t: CleanupContext): Promise<PlainSite> {
  const headers = { 'content-type': 'text/plain', 'x-robots-tag': 'none', link: '</proper>; rel="canonical"' }
  const site = await servePlainSite(t, (path) => {
    if (path === '/text') return { headers, body: `see ${site.origin}/from-text` }
    return path === '/' ? '<a href="/text">x</a>' : 'page'
  })
  return site
}

const serveCanonicals = (t: CleanupContext) =>
  servePlainSite(t, (path) => {
    if (path === '/') return '<a href="/in/page">x</a><a href="/in/header">x</a>'
    if (path === '/in/page') return '<base href="/docs/en/"><link rel="canonical" href="guide">'
    if (path !== '/in/header') return 'page'
    return { headers: { link: '<guide>; rel="canonical"' }, body: '<base href="/docs/en/">' }
  })

describe('robots directives by default', () => {
  const crawled: { origin: string; rows: Map<string, ExportRow> }[] = []

  before(async () => {
    const sites = await Promise.all([serveAll, serveText, serveCanonicals].map((serve) => serve({ after })))
    const rows = await crawlPlainSites({ after }, sites, FAST)
    for (const [i, { origin }] of sites.entries()) crawled.push({ origin, rows: rows[i] ?? new Map() })
  })

  it('are obeyed, and recorded', () => {
    const [{ origin, rows } = assert.fail()] = crawled
    const linked = [...rows.keys()].filter((path) => path.startsWith('/from-') || path.startsWith('/rel-')).sort()
    assert.deepEqual(linked, ['/from-noindex', '/from-theirs', '/rel-noopener', '/rel-sponsored', '/rel-ugc'])
    assert.deepEqual([rows.get('/noindex')?.noindex, rows.get('/ours')?.noindex, rows.get('/')?.noindex], [1, 1, 0])
    assert.equal(rows.get('/noindex')?.canonical, `${origin}/proper`)
  })

  it('in the headers of a document count as well', () => {
    const [, { origin, rows } = assert.fail()] = crawled
    assert.equal(rows.get('/from-text'), undefined)
    assert.deepEqual([rows.get('/text')?.noindex, rows.get('/text')?.canonical], [1, `${origin}/proper`])
  })

  it('a canonical link in a page resolves against its base, one in a header against the URL', () => {
    const [, , { origin, rows } = assert.fail()] = crawled
    assert.equal(rows.get('/in/page')?.canonical, `${origin}/docs/en/guide`)
    assert.equal(rows.get('/in/header')?.canonical, `${origin}/in/guide`)
  })
})

describe('robots directives', () => {
  it('in pages and headers are ignored with --no-meta-robots', async (t) => {
    const { rows } = await crawlPlainSite(t, await serveAll(t), [...FAST, '--no-meta-robots'])
    for (const path of ['/from-meta', '/from-ours', '/from-header']) assert.equal(rows.get(path)?.state, 'visited')
    assert.equal(rows.get('/rel-nofollow'), undefined)
  })

  it('on links marked ugc or sponsored are obeyed with --skip-ugc-sponsored', async (t) => {
    const { rows, summary } = await crawlPlainSite(t, await serveAll(t), [...FAST, '--skip-ugc-sponsored'])
    const linked = [...rows.keys()].filter((path) => path.startsWith('/rel-'))
    assert.deepEqual(linked, ['/rel-noopener'])
    assert.deepEqual([summary.rejected['ugc'], summary.rejected['sponsored']], [1, 1])
  })

  it('on links are ignored with --no-rel-nofollow', async (t) => {
    const { rows } = await crawlPlainSite(t, await serveAll(t), [...FAST, '--no-rel-nofollow'])
    for (const path of ['/rel-nofollow', '/rel-ugc', '/rel-sponsored']) assert.equal(rows.get(path)?.state, 'visited')
    assert.equal(rows.get('/from-meta'), undefined)
  })
})
