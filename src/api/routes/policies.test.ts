// The routes of policies, and what explanations say about them.

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Crawl } from '../../ports/crawls.ts'
import { hasCode } from '../testing/has-code.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let crawl: Crawl

before(async () => {
  api = await startTestApi()
  crawl = await api.crawlSite(12)
})
after(() => api.close())

it('a policy is set, listed, explained and deleted', async () => {
  const admin = api.clientFor('admin')
  const params = { host: '*.Example.com' }
  const saved = await admin.setPolicy({ params, body: { delay: 2000, rate: 0.5, burst: 3, recrawl_min: '2h' } })
  const { updated_at: _at, ...fields } = saved
  assert.deepEqual(fields, {
    host: '*.example.com',
    weight: null,
    delay: 2000,
    per_host: null,
    rate: 0.5,
    burst: 3,
    max_pages: null,
    recrawl_min: '2h',
    recrawl_max: null,
  })
  await admin.setPolicy({ params: { host: 'www.example.com' }, body: { weight: 2, delay: 500 } })
  const { items } = await api.clientFor('read').listPolicies()
  assert.deepEqual(
    items.map(({ host }) => host),
    ['*.example.com', 'www.example.com'],
  )
  const effective = await api.clientFor('read').explainPolicy({ query: { host: 'www.example.com:8080' } })
  assert.equal(effective.delay, 500)
  assert.deepEqual(effective.patterns, {
    weight: 'www.example.com',
    delay: 'www.example.com',
    rate: '*.example.com',
    burst: '*.example.com',
    recrawl_min: '*.example.com',
  })
  await admin.deletePolicy({ params })
  await admin.deletePolicy({ params: { host: 'www.example.com' } })
  await assert.rejects(admin.deletePolicy({ params }), hasCode('POLICY_NOT_FOUND'))
})

it('every bad field of a policy is named, and nothing is set', async () => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${api.tokens.admin}` }
  const body = JSON.stringify({ delay: -1, burst: 2, typo: 1 })
  const response = await api.request('/api/v1/policies/a.test', { method: 'PUT', headers, body })
  assert.equal(response.status, 422)
  const problem = (await response.json()) as { fields: { field: string }[] }
  assert.deepEqual(
    problem.fields.map(({ field }) => field),
    ['body.delay', 'body.typo', 'body.burst'],
  )
  assert.deepEqual((await api.clientFor('read').listPolicies()).items, [])
})

it('only an admin may set a policy, and the change is in the audit trail', async () => {
  const params = { host: 'a.test' }
  await assert.rejects(api.clientFor('crawl').setPolicy({ params, body: { delay: 1 } }), hasCode('SCOPE_MISSING'))
  await api.clientFor('admin').setPolicy({ params, body: { delay: 1 } })
  await api.clientFor('admin').deletePolicy({ params })
  const changes = api.logLines.slice(-3)
  assert.deepEqual(
    changes.map(({ method, path, status }) => [`${method} ${path}`, status]),
    [
      ['PUT /api/v1/policies/{host}', 403],
      ['PUT /api/v1/policies/{host}', 200],
      ['DELETE /api/v1/policies/{host}', 204],
    ],
  )
})

it('the explanation of a URL names the policy that decides', async () => {
  const admin = api.clientFor('admin')
  const [url] = crawl.seeds
  assert.ok(url !== undefined)
  const params = { crawl_id: crawl.id }
  const stepsOf = async () => {
    const { steps } = await admin.explainUrl({ params, query: { url } })
    return Object.fromEntries(steps.map(({ step, detail }) => [step, detail]))
  }
  assert.match((await stepsOf())['policy'] ?? '', /^No policy applies to /)
  await admin.setPolicy({
    params: { host: '127.*' },
    body: { delay: 700, rate: 2, burst: 3, weight: 2, max_pages: 50 },
  })
  const { policy, priority } = await stepsOf()
  assert.equal(
    policy,
    'At least 700 ms between requests (policy 127.*). At most 2 requests per second and 3 at once (policy 127.*). ' +
      'At most 50 pages (policy 127.*). Its priority is multiplied by 2 (policy 127.*).',
  )
  assert.equal(priority, 'Its priority is 10 of 10, and its host has the weight 2 (policy 127.*).')
  await admin.deletePolicy({ params: { host: '127.*' } })
})

it('URLs are pushed to a crawl that has not ended, within its scope', async () => {
  const client = api.clientFor('crawl')
  const [url] = crawl.seeds
  assert.ok(url !== undefined)
  const body = { urls: [new URL('/pushed', url).href], priority: 'critical' as const }
  await assert.rejects(client.addUrls({ params: { crawl_id: crawl.id }, body }), hasCode('CRAWL_CLOSED'))
  const settings = { ...crawl.settings, scope: 'host' as const }
  const seeds = [{ url, host: new URL(url).host, key: 1n, kind: 'page' as const, isRefresh: false, listing: null }]
  const { id: crawl_id } = await api.runtime.crawls.create({ seeds, settings, keySeed: 1 })
  assert.deepEqual(await client.addUrls({ params: { crawl_id }, body }), { added: 1, raised: 0 })
  const { items } = await client.listUrls({ params: { crawl_id }, query: {} })
  assert.deepEqual(
    items.map(({ priority, depth }) => [priority, depth]),
    [
      [10, 0],
      [11, 0],
    ],
  )
  const outside = { urls: ['http://elsewhere.example/'], priority: 3 }
  await assert.rejects(client.addUrls({ params: { crawl_id }, body: outside }), hasCode('BAD_SEED'))
  await api.clientFor('crawl').cancelCrawl({ params: { crawl_id } })
})
