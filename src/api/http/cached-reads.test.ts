import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

interface Told {
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

/** As it comes over the wire: fetch would unpack it and add headers. */
function read(path: string, headers: Record<string, string> = {}): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>()
  const authorization = `Bearer ${api.tokens.read}`
  const sent = request(`${api.address}${path}`, { headers: { authorization, ...headers } }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      const { date: _date, 'x-request-id': _id, ...rest } = answer.headers
      resolve({ status: answer.statusCode ?? 0, headers: rest, body: body.toString() })
    })
    answer.on('error', reject)
  })
  sent.on('error', reject).end()
  return promise
}

/** A change in between makes what is known void, so that the app answers. */
async function freshly(path: string, headers: Record<string, string> = {}): Promise<Told> {
  await api.request('/api/v1/session', { method: 'DELETE' })
  return read(path, headers)
}

describe('a read that is answered past the app', () => {
  const PATH = '/api/v1/crawls?limit=5'

  it('has the same status, headers and body', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip, deflate, br' }, { origin: api.address }]) {
      const fresh = await freshly(PATH, headers)
      const quick = await read(PATH, headers)
      assert.equal(fresh.status, 200)
      // What is packed on the way has no length beforehand.
      const { 'content-length': _length, 'transfer-encoding': _coding, ...quickHeaders } = quick.headers
      const { 'content-length': _, 'transfer-encoding': __, ...freshHeaders } = fresh.headers
      assert.deepEqual({ ...quick, headers: quickHeaders }, { ...fresh, headers: freshHeaders })
    }
  })

  it('is 304 to who has it', async () => {
    const { etag } = (await freshly(PATH)).headers
    const known = { 'if-none-match': String(etag) }
    const quick = await read(PATH, known)
    assert.equal(quick.status, 304)
    assert.deepEqual(await freshly(PATH, known), quick)
  })

  it('is refused to who may not have it', async () => {
    await freshly(PATH)
    assert.equal((await read(PATH, { authorization: 'Bearer wrong' })).status, 401)
    assert.equal((await read(PATH, { authorization: 'Basic x' })).status, 401)
    assert.equal((await read(PATH, { origin: 'http://evil.test' })).status, 403)
    assert.equal((await read(PATH)).status, 200)
  })

  it('carries the request id that was sent', async () => {
    await freshly(PATH)
    const headers = { authorization: `Bearer ${api.tokens.read}`, 'x-request-id': 'mine' }
    assert.equal((await api.request(PATH, { headers })).headers.get('x-request-id'), 'mine')
  })

  it('is counted with the others of its route', async () => {
    await freshly(PATH)
    await read(PATH)
    const { body } = await read('/metrics')
    const count = Number(/route="GET \/api\/v1\/crawls",status="2xx"\} (\d+)/.exec(body)?.[1])
    assert.ok(count >= 2, body)
  })

  it('shows what was changed before', async () => {
    const [crawl] = (await api.clientFor('read').listCrawls()).items
    const path = `/api/v1/crawls/${crawl?.crawl_id}`
    assert.equal((await read(path)).status, 200)
    await api.clientFor('crawl').deleteCrawl({ params: { crawl_id: crawl?.crawl_id ?? '' } })
    assert.equal((await read(path)).status, 404)
    assert.deepEqual((JSON.parse((await read(PATH)).body) as { items: unknown[] }).items, [])
  })
})

describe('requests of one token', () => {
  it('count once each, answered past the app or by it', async () => {
    const limited = await startTestApi(['--require-token', '--api-rate', '2'])
    try {
      const headers = { authorization: `Bearer ${limited.tokens.read}` }
      const statuses: number[] = []
      // A burst is two seconds' worth.
      for (let i = 0; i < 4; i++) statuses.push((await limited.request('/api/v1/workers', { headers })).status)
      assert.deepEqual(statuses, [200, 200, 200, 200])
    } finally {
      await limited.close()
    }
  })
})
