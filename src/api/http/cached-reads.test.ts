import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

interface WireResponse {
  status: number
  headers: Record<string, unknown>
  body: string
}

let api: TestApi

before(async () => {
  api = await startTestApi(['--require-token', '--api-rate', '1000'])
  await api.crawlSite(20)
})
after(() => api.close())

/** The response as sent: fetch would decompress it and add headers. */
function read(path: string, headers: Record<string, string> = {}): Promise<WireResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WireResponse>()
  const authorization = `Bearer ${api.tokens.read}`
  const sent = request(`${api.address}${path}`, { headers: { authorization, ...headers } }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      const { date: _date, 'x-request-id': _id, ...rest } = response.headers
      resolve({ status: response.statusCode ?? 0, headers: rest, body: body.toString() })
    })
    response.on('error', reject)
  })
  sent.on('error', reject).end()
  return promise
}

/** Clears the cache with a change first, so that the app responds. */
async function readUncached(path: string, headers: Record<string, string> = {}): Promise<WireResponse> {
  await api.request('/api/v1/session', { method: 'DELETE' })
  return read(path, headers)
}

describe('a read served from the cache', () => {
  const PATH = '/api/v1/crawls?limit=5'

  it('has the same status, headers and body as from the app', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip, deflate, br' }, { origin: api.address }]) {
      const fresh = await readUncached(PATH, headers)
      const cached = await read(PATH, headers)
      assert.equal(fresh.status, 200)
      assert.deepEqual(cached, fresh)
    }
  })

  it('is 304 for a client that has it', async () => {
    const { etag } = (await readUncached(PATH)).headers
    const known = { 'if-none-match': String(etag) }
    const cached = await read(PATH, known)
    assert.equal(cached.status, 304)
    assert.deepEqual(await readUncached(PATH, known), cached)
  })

  it('is rejected without permission', async () => {
    await readUncached(PATH)
    assert.equal((await read(PATH, { authorization: 'Bearer wrong' })).status, 401)
    assert.equal((await read(PATH, { authorization: 'Basic x' })).status, 401)
    assert.equal((await read(PATH, { origin: 'http://evil.test' })).status, 403)
    assert.equal((await read(PATH)).status, 200)
  })

  it('has the request id of the client', async () => {
    await readUncached(PATH)
    const headers = { authorization: `Bearer ${api.tokens.read}`, 'x-request-id': 'mine' }
    assert.equal((await api.request(PATH, { headers })).headers.get('x-request-id'), 'mine')
  })

  it('is counted in the metrics of its route', async () => {
    await readUncached(PATH)
    await read(PATH)
    const { body } = await read('/metrics')
    const count = Number(/route="GET \/api\/v1\/crawls",status="2xx"\} (\d+)/.exec(body)?.[1])
    assert.ok(count >= 2, body)
  })

  it('reflects earlier changes', async () => {
    const [crawl] = (await api.clientFor('read').listCrawls()).items
    const path = `/api/v1/crawls/${crawl?.crawl_id}`
    assert.equal((await read(path)).status, 200)
    await api.clientFor('crawl').deleteCrawl({ params: { crawl_id: crawl?.crawl_id ?? '' } })
    assert.equal((await read(path)).status, 404)
    assert.deepEqual((JSON.parse((await read(PATH)).body) as { items: unknown[] }).items, [])
  })
})

describe('requests of one token', () => {
  it('count once each, from the cache or from the app', async () => {
    const limited = await startTestApi(['--require-token', '--api-rate', '2'])
    try {
      const headers = { authorization: `Bearer ${limited.tokens.read}` }
      const statuses: number[] = []
      // The burst covers two seconds.
      for (let i = 0; i < 4; i++) statuses.push((await limited.request('/api/v1/workers', { headers })).status)
      assert.deepEqual(statuses, [200, 200, 200, 200])
    } finally {
      await limited.close()
    }
  })
})
