import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, createClient, routeUrl } from './client.ts'

function clientWithResponse(status: number, body: string, type = 'application/json') {
  const requests: Request[] = []
  const client = createClient({
    baseUrl: 'http://server.test/',
    token: 'orbw_x',
    fetch: async (input, init) => {
      requests.push(new Request(input as string, init))
      return new Response(body, { status, headers: { 'content-type': type } })
    },
  })
  return { client, requests }
}

describe('the client', () => {
  it('sends params, query and body in the right places', async () => {
    const { client, requests } = clientWithResponse(200, '{}')
    await client.blockHost({ params: { crawl_id: 'c 1', host: '[::1]:80' } })
    await client.changeCrawl({ params: { crawl_id: 'c' }, body: { settings: { delay: 1 } } })
    assert.equal(requests[0]?.url, 'http://server.test/api/v1/crawls/c%201/hosts/%5B%3A%3A1%5D%3A80/block')
    assert.equal(requests[0]?.headers.get('authorization'), 'Bearer orbw_x')
    assert.equal(requests[1]?.method, 'PATCH')
    assert.equal(await requests[1]?.text(), '{"settings":{"delay":1}}')
    const query = { state: ['failed' as const, 'excluded' as const], text: undefined, limit: 5 }
    assert.equal(
      routeUrl('listUrls', { params: { crawl_id: 'c' }, query }),
      '/api/v1/crawls/c/urls?state=failed&state=excluded&limit=5',
    )
  })

  it('throws the problem of the server', async () => {
    const problem = {
      code: 'BAD_REQUEST',
      status: 400,
      detail: 'No.',
      request_id: 'r',
      fields: [{ field: 'a', message: 'b' }],
    }
    const { client } = clientWithResponse(400, JSON.stringify(problem), 'application/problem+json')
    await assert.rejects(client.about(), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.code, error.status, error.message, error.requestId], ['BAD_REQUEST', 400, 'No.', 'r'])
      assert.deepEqual(error.fields, problem.fields)
      return true
    })
  })

  it('throws its own error if the server sends no problem', async () => {
    const { client } = clientWithResponse(502, '<h1>Bad gateway</h1>', 'text/html')
    await assert.rejects(client.about(), { code: 'SERVER_AWAY', status: 502 })
    const unreachable = createClient({ baseUrl: '', fetch: () => Promise.reject(new TypeError('fetch failed')) })
    await assert.rejects(unreachable.about(), { code: 'SERVER_AWAY', status: 0 })
  })

  it('returns streams unchanged, also JSON streams', async () => {
    const { client } = clientWithResponse(200, '[]')
    const response = await client.exportCrawl({ params: { crawl_id: 'c' }, query: { format: 'json' } })
    assert.equal(await response.text(), '[]')
  })
})
