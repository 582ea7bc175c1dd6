// The nginx example in front of a real server; skipped without nginx.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { readText } from './testing/deploy-files.ts'
import { type NginxProxy, PUBLIC_HOST, startNginxProxy } from './testing/nginx-proxy.ts'

const skip = spawnSync('nginx', ['-v']).status === 0 ? false : 'there is no nginx on this machine'

describe('the nginx example', { skip, timeout: 120_000 }, () => {
  const cleanUps: (() => unknown)[] = []
  let nginx: NginxProxy
  before(async () => {
    nginx = await startNginxProxy({ after: (cleanUp) => cleanUps.unshift(cleanUp) })
  })
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })

  const bearer = () => ({ authorization: `Bearer ${nginx.token}` })
  const cacheOf = ({ headers }: IncomingMessage) => headers['cache-control']

  async function createCrawl(): Promise<string> {
    const headers = { ...bearer(), 'content-type': 'application/json' }
    const response = await nginx.request('/api/v1/crawls', {
      method: 'POST',
      headers,
      body: '{"url":"http://site.test/"}',
    })
    return (JSON.parse(await text(response)) as { crawl_id: string }).crawl_id
  }

  it('serves the app for every path of the app, and revalidates it each time', async () => {
    for (const path of ['/', '/crawls/0193?sort=depth']) {
      const response = await nginx.request(path)
      assert.deepEqual([response.statusCode, cacheOf(response)], [200, 'no-cache'])
      assert.match(await text(response), /<script type="module"/)
    }
  })

  it('redirects paths of the other crawler to the app, under the public host name', async () => {
    const response = await nginx.request('/ui/')
    assert.deepEqual([response.statusCode, response.headers.location], [302, '/'])
  })

  it('caches assets for a year, and returns 404 for missing ones', async () => {
    const [, path = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await text(await nginx.request('/'))) ?? []
    const asset = await nginx.request(path)
    assert.deepEqual([asset.statusCode, cacheOf(asset)], [200, 'public, max-age=31536000, immutable'])
    assert.ok((await text(asset)).length > 1000)
    const missing = await nginx.request('/assets/app-0000.js')
    assert.equal(missing.statusCode, 404)
    assert.notEqual(cacheOf(missing), 'public, max-age=31536000, immutable')
  })

  it('passes requests to the API, and its errors back', async () => {
    assert.equal((await nginx.request('/api/v1/crawls')).statusCode, 401)
    assert.equal((await nginx.request('/api/v1/crawls', { headers: bearer() })).statusCode, 200)
  })

  it('keeps the public host name and port, by which the server recognises its own pages', async () => {
    const from = (origin: string) => nginx.request('/api/v1/crawls', { headers: { ...bearer(), origin } })
    assert.equal((await from(`https://${PUBLIC_HOST}`)).statusCode, 200)
    assert.equal((await from('https://crawls.test')).statusCode, 403)
    assert.equal((await from('https://evil.test')).statusCode, 403)
  })

  it('does not accept a forged https header', async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' }
    const body = JSON.stringify({ token: nginx.token })
    const response = await nginx.request('/api/v1/session', { method: 'POST', headers, body })
    assert.match(String(response.headers['set-cookie']), /HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  })

  it('keeps WebSockets open until the server closes them', async () => {
    const id = await createCrawl()
    const url = `ws+unix:${nginx.socketPath}:/api/v1/crawls/${id}/ws?interval_ms=250`
    const socket = new WebSocket(url, { headers: { ...bearer(), host: PUBLIC_HOST } })
    const closed = once(socket, 'close') as Promise<[code: number]>
    const [first] = (await once(socket, 'message')) as [Buffer]
    assert.equal((JSON.parse(first.toString()) as { status: string }).status, 'running')
    await nginx.request(`/api/v1/crawls/${id}/cancel`, { method: 'POST', headers: bearer() })
    assert.equal((await closed)[0], 1000)
  })

  it('keeps an idle WebSocket open for a day, and does not buffer the API', () => {
    const [api = ''] = /location \/api\/ \{[^}]*\}/.exec(readText('nginx/orbweaver.conf')) ?? []
    for (const line of ['proxy_read_timeout 86400s;', 'proxy_send_timeout 86400s;', 'proxy_buffering off;']) {
      assert.ok(api.includes(line), line)
    }
  })

  it('streams events without buffering', async () => {
    const id = await createCrawl()
    const stream = await nginx.request('/api/v1/events?interval_ms=250', { headers: bearer() })
    assert.equal(stream.headers['content-type'], 'text/event-stream')
    let received = ''
    for await (const chunk of stream) {
      received += chunk
      if (received.includes(id)) break
    }
    assert.match(received, /^event: crawl$/m)
  })

  it('does not expose metrics', async () => {
    assert.equal((await nginx.request('/metrics', { headers: bearer() })).statusCode, 404)
  })
})
