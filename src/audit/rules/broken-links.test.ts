import assert from 'node:assert/strict'
import { it } from 'node:test'
import { auditSite } from '../testing/audited-site.ts'
import { brokenLinks } from './broken-links.ts'

it('lists every page that has a link to a missing page, with its anchor text', async () => {
  const { found } = await auditSite(brokenLinks, {
    '/': '<a href=/b>B</a> <a href="/gone">The <b>lost</b> page</a> <a href=/empty><img src=x></a>',
    '/b': '<a href=gone>again</a><a href=/>home</a>',
  })
  assert.deepEqual(found, [
    '/ | /gone | The lost page | Status 404',
    '/b | /gone | again | Status 404',
    '/ | /empty | Status 404',
  ])
})

it('counts errors of the server, hosts without an answer, and redirects that lead to an error', async () => {
  const { found } = await auditSite(brokenLinks, {
    '/': '<a href=/error>e</a><a href=https://off.test/>o</a><a href=/moved>m</a>',
    '/error': { status: 500 },
    'https://off.test/': { problem: 'dns_failed' },
    '/moved': { to: '/gone' },
  })
  assert.deepEqual(found, [
    '/ | /error | e | Status 500',
    '/ | https://off.test/ | o | The host name cannot be resolved',
    '/ | /moved | m | Status 404, after a redirect to /gone',
  ])
})

it('accepts what only a crawler is refused, and limits of the crawl', async () => {
  const { found, summary } = await auditSite(brokenLinks, {
    '/': '<a href=/login>l</a><a href=/member>m</a><a href=/busy>b</a><a href=/film>f</a><a href=/there>t</a>',
    '/login': { status: 403 },
    '/member': { status: 401 },
    '/busy': { status: 429 },
    '/film': { problem: 'body_too_large' },
    '/there': 'there',
  })
  assert.deepEqual([found, summary.counts], [[], { 'broken-links': 0 }])
})

it('lists links without anchor texts if nothing is archived, and none of sitemaps', async () => {
  const { found } = await auditSite(brokenLinks, {
    '/': { html: '<a href=/gone>gone</a>', isArchived: false },
    '/sitemap.xml': { lists: ['/gone', '/lost'] },
  })
  assert.deepEqual(found, ['/ | /gone | Status 404'])
})

it('link elements are no links that visitors follow', async () => {
  const { found } = await auditSite(brokenLinks, {
    '/': '<link rel=canonical href=/gone><link rel=prev href=/lost><a href=/lost>previous</a>',
  })
  assert.deepEqual(found, ['/ | /lost | previous | Status 404'])
})
