// Starting a crawl and getting its first page with the response.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startTestApi } from '../../src/api/testing/test-api.ts'
import { servePlainSite } from '../sites/plain-site.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { type JsonObject, requestJson, runCrawlToEnd } from './testing/json-api.ts'

it('the response waits for the first URL and has its links, if that is asked for', async (t) => {
  const api = await startTestApi(['--allow-private', '--delay', '0'])
  t.after(() => api.close())
  const { origin } = await servePlainSite(t, (path) =>
    path === '/' ? '<title>Home</title><a href="/a">a</a><a href="/b">b</a>' : 'page',
  )
  const body = { url: `${origin}/`, settings: { allow_private: true } }
  const start = (query: string) => requestJson(api.address, 'POST', `/api/v1/crawls${query}`, body)
  assert.equal((await start('')).body['root'], null)
  // No worker is crawling yet, so the wait ends.
  const early = await start('?root_wait_ms=60')
  assert.deepEqual([early.status, early.body['root']], [201, null])
  const known = (await api.runtime.crawls.list()).map(({ crawl }) => crawl.id)
  const response = start('?root_wait_ms=50000')
  const started = async () => (await api.runtime.crawls.list()).find(({ crawl }) => !known.includes(crawl.id))
  await waitUntil(async () => (await started()) !== undefined)
  const id = (await started())?.crawl.id ?? ''
  await runCrawlToEnd(api, id)
  const root = (await response).body['root'] as JsonObject
  assert.deepEqual([root['url'], root['state'], root['http_status'], root['title']], [body.url, 'visited', 200, 'Home'])
  const { total, items } = root['children'] as { total: number; items: JsonObject[] }
  assert.equal(total, 2)
  assert.deepEqual(
    items.map((child) => child['url']),
    [`${origin}/a`, `${origin}/b`],
  )
})
