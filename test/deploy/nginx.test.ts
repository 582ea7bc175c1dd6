// The example for nginx, where there is an nginx to run it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { type Ask, startNginx } from './nginx.ts'

const skip = spawnSync('nginx', ['-v']).status === 0 ? false : 'there is no nginx on this machine'

async function get(ask: Ask, path: string): Promise<{ status: unknown; cache: unknown; body: string }> {
  const [response] = (await once(ask(path), 'response')) as [IncomingMessage]
  return { status: response.statusCode, cache: response.headers['cache-control'], body: await text(response) }
}

describe('the nginx example', { skip }, () => {
  it('answers every path of the app with the app, which is looked for anew each time', async (t) => {
    const ask = await startNginx(t)
    for (const path of ['/', '/index.html', '/crawls/0193?sort=depth']) {
      assert.deepEqual(await get(ask, path), { status: 200, cache: 'no-cache', body: 'the app' })
    }
  })

  it('lets assets be kept for ever, and has none that are not there', async (t) => {
    const ask = await startNginx(t)
    const cache = 'public, max-age=31536000, immutable'
    assert.deepEqual(await get(ask, '/assets/app-1a2b.js'), { status: 200, cache, body: 'code' })
    const missing = await get(ask, '/assets/app-0000.js')
    assert.deepEqual([missing.status, missing.cache], [404, undefined])
  })

  it('hands the API its requests', async (t) => {
    const ask = await startNginx(t)
    const { status, body } = await get(ask, '/api/crawls?x=1')
    assert.deepEqual([status, body], [200, '/api/crawls?x=1 of crawls.test'])
  })

  it('lets WebSockets through', async (t) => {
    const ask = await startNginx(t)
    const asked = ask('/api/live', { upgrade: 'websocket', connection: 'upgrade' })
    asked.on('response', ({ statusCode }) => asked.destroy(new Error(`an ordinary answer, ${statusCode}`)))
    const [response, socket, head] = (await once(asked, 'upgrade')) as [IncomingMessage, Socket, Buffer]
    assert.equal(response.statusCode, 101)
    assert.equal(response.headers.upgrade, 'websocket')
    assert.equal(head.toString() + (await text(socket)), 'live')
  })
})
