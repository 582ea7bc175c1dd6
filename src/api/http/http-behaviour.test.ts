// HTTP behaviour that all routes have in common.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { startTestApi, type TestApi } from '../testing/test-api.ts'
import type { Problem } from './problem.ts'

let api: TestApi
before(async () => {
  api = await startTestApi()
})
after(() => api.close())

const JSON_TYPE = { 'content-type': 'application/json' }

async function problemOf(response: Response): Promise<Problem> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  const problem = (await response.json()) as Problem
  assert.equal(problem.status, response.status)
  assert.equal(problem.request_id, response.headers.get('x-request-id'))
  return problem
}

function post(body: string, headers: Record<string, string> = JSON_TYPE): Promise<Response> {
  return api.request('/api/v1/crawls', { method: 'POST', body, headers })
}

describe('a request', () => {
  it('that is invalid is rejected with every bad field', async () => {
    const response = await api.request('/api/v1/crawls?limit=0&nonsense=1&status=lost')
    const { code, fields = [] } = await problemOf(response)
    assert.equal(code, 'BAD_REQUEST')
    assert.deepEqual(fields.map(({ field }) => field).sort(), ['query.limit', 'query.nonsense', 'query.status'])
    const unknown = await problemOf(await post('{"url":"http://a.test/","colour":"red","urls":[]}'))
    assert.deepEqual(unknown.fields?.map(({ field }) => field).sort(), ['body.colour', 'body.urls'])
  })

  it('must have a JSON body of at most 1 MiB', async () => {
    assert.equal((await problemOf(await post('{'))).code, 'BAD_REQUEST')
    assert.equal((await problemOf(await post('{}', { 'content-type': 'text/plain' }))).code, 'UNSUPPORTED_TYPE')
    assert.equal((await problemOf(await post(`{"url":"${'a'.repeat(1 << 20)}"}`))).code, 'BODY_TOO_LARGE')
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(' '.repeat(65_536))),
    })
    const init = { method: 'POST', body: endless, duplex: 'half', headers: JSON_TYPE } as RequestInit
    const outcome = await api.request('/api/v1/crawls', init).then(
      async (response) => (await problemOf(response)).code,
      // The server may close the connection while the body is still being sent.
      () => 'BODY_TOO_LARGE',
    )
    assert.equal(outcome, 'BODY_TOO_LARGE')
    const withBody = await api.request('/api/v1/crawls/x', { method: 'DELETE', body: '{}', headers: JSON_TYPE })
    assert.equal((await problemOf(withBody)).code, 'BAD_REQUEST')
  })

  it('with a NUL character or a lone surrogate is rejected', async () => {
    assert.equal((await problemOf(await api.request('/api/v1/crawls?text=a%00b'))).code, 'BAD_REQUEST')
    for (const text of ['\\u0000', '\\ud800']) {
      assert.equal((await problemOf(await post(`{"url":"http://a.test/${text}"}`))).code, 'BAD_REQUEST')
    }
  })

  it('that is nested too deeply or has too many fields is rejected with a short message', async () => {
    const deep = await problemOf(await post(`{"settings":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`))
    assert.equal(deep.code, 'BAD_REQUEST')
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, 1]))
    for (const body of [many, { url: 'http://a.test/', settings: many }]) {
      const { code, detail, fields = [] } = await problemOf(await post(JSON.stringify(body)))
      assert.equal(code, 'BAD_REQUEST')
      assert.ok(fields.length <= 100 && detail.length < 10_000, `${fields.length} fields, ${detail.length} characters`)
    }
  })

  it('that offers a protocol upgrade is served normally', async () => {
    const { hostname, port } = new URL(api.address)
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    const status = await new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path: '/api/v1', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end()
    })
    assert.equal(status, 200)
  })

  it('with an unknown path or method gets a helpful error', async () => {
    assert.equal((await problemOf(await api.request('/api/v1/nonsense'))).code, 'ROUTE_NOT_FOUND')
    const wrong = await api.request('/api/v1/crawls', { method: 'PUT' })
    assert.equal(wrong.headers.get('allow'), 'GET, POST, HEAD, OPTIONS')
    assert.equal((await problemOf(wrong)).code, 'METHOD_NOT_ALLOWED')
    const options = await api.request('/api/v1/crawls', { method: 'OPTIONS' })
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, POST, HEAD, OPTIONS'])
    assert.equal(options.headers.get('access-control-allow-origin'), null)
  })

  it('with HEAD gets the same headers and no body', async () => {
    const [head, get] = [
      await api.request('/api/v1/settings', { method: 'HEAD' }),
      await api.request('/api/v1/settings'),
    ]
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
    assert.equal(await head.text(), '')
  })

  it('keeps its id if it is valid', async () => {
    const idOf = async (id: string) =>
      (await api.request('/api/v1', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    assert.equal(await idOf('trace-1.a:b'), 'trace-1.a:b')
    assert.notEqual(await idOf('a b'), 'a b')
    assert.notEqual(await idOf('x'.repeat(65)), 'x'.repeat(65))
  })
})

describe('a response', () => {
  it('has an ETag and is not sent again to a client that has it', async () => {
    const first = await api.request('/api/v1/settings')
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^W\/"/)
    await first.text()
    const again = await api.request('/api/v1/settings', { headers: { 'if-none-match': tag } })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    const other = await api.request('/api/v1/settings', { headers: { 'if-none-match': 'W/"other"' } })
    assert.equal(other.status, 200)
    await other.text()
  })

  it('is compressed if it is long', async () => {
    const long = await api.request('/api/v1/settings', { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(long.headers.get('content-encoding'), 'gzip')
    assert.ok(((await long.json()) as { items: unknown[] }).items.length > 10)
    const short = await api.request('/api/v1', { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(short.headers.get('content-encoding'), null)
    await short.text()
  })

  it('is not cached, executed or framed', async () => {
    const { headers } = await api.request('/api/v1')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
  })
})

describe('an Idempotency-Key', () => {
  const send = (key: string, url: string) => post(JSON.stringify({ url }), { ...JSON_TYPE, 'idempotency-key': key })

  it('creates one crawl for several requests, also for concurrent ones', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => send('k1', 'http://once.test/')))
    const ids = await Promise.all(
      responses.map(async (response) => ((await response.json()) as { crawl_id: string }).crawl_id),
    )
    assert.equal(new Set(ids).size, 1)
    assert.deepEqual(
      responses.map(({ status }) => status),
      responses.map(() => 201),
    )
    assert.equal(responses.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 7)
    const { total } = await api.client.listCrawls({ query: { text: 'once.test' } })
    assert.equal(total, 1)
  })

  it('is valid for one request only', async () => {
    await (await send('k2', 'http://two.test/')).text()
    assert.equal((await problemOf(await send('k2', 'http://three.test/'))).code, 'IDEMPOTENCY_CONFLICT')
    assert.equal((await problemOf(await send('x'.repeat(201), 'http://two.test/'))).code, 'BAD_REQUEST')
  })

  it('of a rejected request can be used again', async () => {
    assert.equal((await problemOf(await send('k3', 'nonsense'))).code, 'BAD_SEED')
    assert.equal((await send('k3', 'http://four.test/')).status, 201)
  })
})

describe('the web app', () => {
  it('serves its page for every path that is not a file, but not for missing files', async () => {
    const page = await api.request('/crawls/some-id/graph', { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'self'/)
    await page.text()
    for (const path of ['/assets/missing.js', '/..%2f..%2fpackage.json', '/.env', '/%2e%2e/package.json']) {
      const { status } = await api.request(path)
      assert.ok(status === 404 || status === 200, `${path}: ${status}`)
    }
    assert.equal((await api.request('/assets/missing.js')).status, 404)
    assert.doesNotMatch(await (await api.request('/..%2f..%2fpackage.json')).text(), /"dependencies"/)
  })
})

describe('a stopping server', () => {
  it('finishes requests in flight, ends streams and accepts nothing new', async () => {
    const other = await startTestApi()
    try {
      const events = await other.request('/api/v1/events')
      const { status, stopped } = await postDuringStop(other, '{"url":"http://slow.test/"}', () => other.stop(60_000))
      assert.equal(status, 201)
      await stopped
      await events.text()
      await assert.rejects(other.request('/api/v1'))
    } finally {
      await other.close()
    }
  })
})

/** Sends the body after the server has started to stop; 100-continue shows that the request is in flight by then. */
function postDuringStop(to: TestApi, body: string, stop: () => Promise<void>) {
  return new Promise<{ status: number; stopped: Promise<void> }>((resolve, reject) => {
    let stopped = Promise.resolve()
    const headers = { ...JSON_TYPE, 'content-length': body.length, expect: '100-continue' }
    const sent = request(`${to.address}/api/v1/crawls`, { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, stopped }))
    })
    sent.on('error', reject)
    sent.on('continue', () => {
      stopped = stop()
      sent.end(body)
    })
    sent.flushHeaders()
  })
}
