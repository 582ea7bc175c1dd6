// Live sockets, events and webhooks on a complete server with its request guard.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { startTestApi, type TestApi } from '../testing/test-api.ts'

describe('live updates of the API', () => {
  let api: TestApi

  before(async () => {
    api = await startTestApi(['--require-token', '--allow', '127.0.0.1'])
  })

  after(() => api.close())

  const socketOf = (crawlId: string, headers: Record<string, string>) =>
    new WebSocket(`${api.address.replace('http', 'ws')}/api/v1/crawls/${crawlId}/ws`, { headers })

  const rejectionOf = async (socket: WebSocket) => {
    socket.on('error', () => undefined)
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    response.resume()
    return response.statusCode
  }

  it('require a token with read scope and the same origin', async () => {
    const authorization = `Bearer ${api.tokens.read}`
    assert.equal(await rejectionOf(socketOf('x', {})), 401)
    assert.equal(await rejectionOf(socketOf('x', { authorization: 'Bearer wrong' })), 401)
    assert.equal(await rejectionOf(socketOf('x', { authorization, origin: 'http://evil.test' })), 403)
    assert.equal((await api.request('/api/v1/events')).status, 401)
    const socket = socketOf('x', { authorization, origin: api.address })
    const [data] = await once(socket, 'message')
    assert.deepEqual(JSON.parse(String(data)), { error: 'Crawl not found' })
    await once(socket, 'close')
  })

  it('report the end of a crawl to sockets, event streams and webhooks', async () => {
    const calls: string[] = []
    const receiver = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      calls.push(body)
      response.end()
      receiver.emit('called')
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const called = once(receiver, 'called')
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const admin = api.clientFor('admin')
    await admin.createWebhook({ body: { url, events: ['crawl.completed'] } })

    const headers = { authorization: `Bearer ${api.tokens.read}` }
    const leave = new AbortController()
    const stream = await api.request('/api/v1/events?interval_ms=250', { headers, signal: leave.signal })
    assert.equal(stream.headers.get('content-type'), 'text/event-stream')
    assert.ok(stream.body !== null)
    const chunks = stream.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    await textUntil(chunks, 'retry: 2000')
    const { id } = await api.crawlSite(10)
    const socket = socketOf(id, headers)
    const [last] = await once(socket, 'message')
    assert.equal((JSON.parse(String(last)) as { status: string }).status, 'completed')
    assert.equal((await once(socket, 'close'))[0], 1000)
    assert.match(await textUntil(chunks, '"status":"completed"'), new RegExp(`event: crawl\ndata: .*${id}`))
    leave.abort()

    await called
    const payload = JSON.parse(calls[0] ?? '') as { event: string; crawl: { crawl_id: string } }
    assert.deepEqual([payload.event, payload.crawl.crawl_id], ['crawl.completed', id])
    receiver.close()
    receiver.closeAllConnections()
  })
})

async function textUntil(chunks: AsyncIterator<string>, end: string): Promise<string> {
  let text = ''
  while (!text.includes(end)) {
    const { done, value } = await chunks.next()
    assert.ok(done !== true, `the stream ended: ${text}`)
    text += value
  }
  return text
}
