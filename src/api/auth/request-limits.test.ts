// The limits of the request guard over real connections: what crawl tokens may request, streams, requests per second.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '../contract/route.ts'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

describe('the limits of crawl tokens', () => {
  let api: TestApi
  before(async () => {
    const limits = ['--token-max-concurrency', '10', '--token-max-per-host', '2', '--token-max-body', '1m']
    api = await startTestApi(['--require-token', '--token-min-delay', '500', ...limits])
  })
  after(() => api.close())

  const createCrawl = (scope: Scope, settings: Record<string, unknown>) =>
    api.clientFor(scope).createCrawl({ body: { url: 'http://a.test/', settings } })

  for (const [name, value, flag, bound] of [
    ['delay', 499, 'token-min-delay', 'no less than 500 ms'],
    ['delay', 'auto', 'token-min-delay', 'no less than 500 ms'],
    ['concurrency', 11, 'token-max-concurrency', 'no more than 10'],
    ['per_host', 3, 'token-max-per-host', 'no more than 2'],
    ['max_body', '2m', 'token-max-body', 'no more than 1048576 bytes'],
  ] as const) {
    it(`reject ${name} ${value}, and the error names the limit`, async () => {
      const expected = { code: 'FORBIDDEN_SETTING', status: 403, message: new RegExp(`${name}: .*${bound}.*--${flag}`) }
      await assert.rejects(createCrawl('crawl', { [name]: value }), expected)
      const { crawl_id } = await createCrawl('admin', { [name]: value })
      const params = { crawl_id }
      await assert.rejects(api.clientFor('crawl').rerunCrawl({ params }), expected)
      if (name !== 'max_body') {
        const body = { settings: { [name]: value } }
        await assert.rejects(api.clientFor('crawl').changeCrawl({ params, body }), expected)
      }
      await api.clientFor('crawl').cancelCrawl({ params })
    })
  }

  it('are the defaults, and values up to the limits are allowed', async () => {
    const { settings } = await createCrawl('crawl', {})
    const { delay, concurrency, per_host, max_body } = settings
    assert.deepEqual([delay, concurrency, per_host, max_body], [500, 10, 1, 1024 ** 2])
    const most = await createCrawl('crawl', { delay: 500, concurrency: 10, per_host: 2, max_body: '1m' })
    assert.equal(most.settings['per_host'], 2)
    assert.equal((await api.clientFor('crawl').rerunCrawl({ params: { crawl_id: most.crawl_id } })).status, 'running')
    assert.equal((await createCrawl('admin', {})).settings['delay'], 'auto')
  })
})

describe('event streams', () => {
  it('are limited per token', async () => {
    const api = await startTestApi(['--require-token', '--token-sockets', '2'])
    const gone = new AbortController()
    try {
      const open = (scope: Scope, signal = gone.signal) =>
        api.request('/api/v1/events', { headers: { authorization: `Bearer ${api.tokens[scope]}` }, signal })
      const first = new AbortController()
      assert.equal((await open('read', first.signal)).status, 200)
      assert.equal((await open('read')).status, 200)
      const third = await open('read')
      assert.equal(third.status, 429)
      assert.match(((await third.json()) as { detail: string }).detail, /2 sockets .*--token-sockets/)
      assert.equal((await open('crawl')).status, 200)
      first.abort()
      let status = 429
      while (status === 429) status = (await open('read')).status
      assert.equal(status, 200)
    } finally {
      gone.abort()
      await api.close()
    }
  })
})

describe('the request rate limit', () => {
  it('applies to each token separately and says when to retry', async () => {
    const api = await startTestApi(['--require-token', '--api-rate', '2'])
    try {
      const get = (scope: Scope) =>
        api.request('/api/v1/crawls', { headers: { authorization: `Bearer ${api.tokens[scope]}` } })
      const first = await Promise.all(Array.from({ length: 30 }, () => get('read')))
      const rejected = first.filter(({ status }) => status === 429)
      assert.ok(rejected.length > 0)
      assert.equal(rejected[0]?.headers.get('retry-after'), '1')
      assert.equal((await get('admin')).status, 200)
    } finally {
      await api.close()
    }
  })
})
