import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { HookClient } from './hook-client.ts'
import { type CrawlHooks, connectHooks } from './serve-hooks.ts'

const REQUEST = { url: 'http://a.test/', kind: 'page', depth: 0, attempts: 0 } as const
const PAGE = { url: 'http://a.test/', status: 200, contentType: 'text/html', depth: 0, html: '<p>', fields: {} }
const link = (url: string) => ({ url, pageUrl: 'http://a.test/', pageDepth: 0, rel: '' })

function connect(t: TestContext, hooks: CrawlHooks) {
  const problems: string[] = []
  const client = new HookClient(connectHooks(hooks, (_, hook, error) => void problems.push(`${hook}: ${error}`)))
  t.after(() => client.close())
  return { client, problems }
}

describe('hooks', () => {
  it('are called for many requests and links at a time', async (t) => {
    const { client } = connect(t, {
      onRequest: ({ url }) => url.endsWith('/1'),
      shouldFollow: async ({ url }) => !url.endsWith('/2'),
      extract: ({ html }) => ({ html, list: [1, 'a'], none: null }),
    })
    assert.deepEqual(client.has, { onRequest: true, shouldFollow: true, extract: true })
    const requests = ['/1', '/2'].map((path) => ({ ...REQUEST, url: `http://a.test${path}` }))
    assert.deepEqual(await client.onRequests(requests), ['allowed', 'hook_refused'])
    assert.deepEqual(await client.shouldFollow([link('http://b.test/1'), link('http://b.test/2')]), {
      follow: [true, false],
    })
    assert.deepEqual(await client.extract(PAGE), { fields: { html: '<p>', list: [1, 'a'], none: null } })
  })

  it('that return nothing allow everything', async (t) => {
    const { client } = connect(t, { onRequest: () => undefined, extract: () => undefined })
    assert.deepEqual(client.has, { onRequest: true, shouldFollow: false, extract: true })
    assert.deepEqual(await client.onRequests([REQUEST]), ['allowed'])
    assert.deepEqual(await client.extract(PAGE), { fields: null })
  })

  it('that throw or return what cannot be stored are a named problem, reported once', async (t) => {
    const results: unknown[] = [
      { a: 1n },
      { a: { b: 1 } },
      [1],
      'text',
      { a: Number.NaN },
      { a: 'x'.repeat(200_001) },
      { a: Object.assign([], { length: 4e9 }) },
    ]
    const { client, problems } = connect(t, {
      onRequest: () => Promise.reject(new Error('no')),
      extract: () => results.shift() as null,
    })
    const expected = results.map(() => ({ problem: 'hook_failed' }))
    assert.deepEqual(await Promise.all(expected.map(() => client.extract(PAGE))), expected)
    assert.deepEqual(await client.onRequests([REQUEST]), ['hook_failed'])
    assert.equal(problems.length, 8)
  })

  it('that take too long time out alone, while others are answered', async (t) => {
    const { client } = connect(t, {
      timeoutMs: 200,
      extract: ({ url }) => (url.endsWith('/slow') ? new Promise(() => undefined) : { ok: 1 }),
    })
    const slow = client.extract({ ...PAGE, url: 'http://a.test/slow' })
    assert.deepEqual(await client.extract(PAGE), { fields: { ok: 1 } })
    assert.deepEqual(await slow, { problem: 'hook_timeout' })
  })

  it('of a program that does not respond at all time out in the crawl thread', async (t) => {
    const { port1, port2 } = new MessageChannel()
    const has = { onRequest: true, shouldFollow: true, extract: true }
    const client = new HookClient({ port: port2, has, timeoutMs: 1 })
    t.after(() => {
      client.close()
      port1.close()
    })
    const calls = [
      client.onRequests([REQUEST, REQUEST]),
      client.shouldFollow([link('http://b.test/')]),
      client.extract(PAGE),
    ]
    assert.deepEqual(await Promise.all(calls), [
      ['hook_timeout', 'hook_timeout'],
      { problem: 'hook_timeout' },
      { problem: 'hook_timeout' },
    ])
  })
})
