import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { it } from 'node:test'
import { get, openClient, openSite, resolverWith, serveRaw } from './testing/test-client.ts'

it('a request whose host is being resolved waits for DNS', async (t) => {
  const client = openClient(t, { resolver: resolverWith(() => undefined) })
  void get(client, 'http://a.test/')
  void get(client, 'http://a.test/2')
  assert.deepEqual(client.countUnsent(), { dns: 2, connect: 0 })
})

it('a request whose connection is being opened waits for it, including its handshake', async (t) => {
  const server = createServer()
  const site = await openSite(t, server)
  const client = openClient(t)
  const connected = once(server, 'connection')
  void get(client, `https://127.0.0.1:${site.port}/`)
  await connected
  assert.deepEqual(client.countUnsent(), { dns: 0, connect: 1 })
})

it('a sent request waits for the origin, and so does one queued behind it', async (t) => {
  const requested = Promise.withResolvers<void>()
  const site = await serveRaw(t, () => requested.resolve())
  const client = openClient(t)
  void get(client, `${site.origin}/1`)
  void get(client, `${site.origin}/2`)
  await requested.promise
  assert.deepEqual(client.countUnsent(), { dns: 0, connect: 0 })
})
