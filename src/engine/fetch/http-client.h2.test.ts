import assert from 'node:assert/strict'
import type { Http2ServerResponse } from 'node:http2'
import { createServer } from 'node:https'
import { before, describe, it, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { KEY, TRUSTED } from './testing/certificates.ts'
import { breach, data, goAway, okHeaders, requestsIn, reset, serveFrames, serveH2 } from './testing/h2-servers.ts'
import { get, getFailure, getResponse, openClient, openSite, type Site } from './testing/test-client.ts'

const NO_ERROR = 0x0
const INTERNAL_ERROR = 0x2
const REFUSED_STREAM = 0x7
const CANCEL = 0x8
const HTTP_1_1_REQUIRED = 0xd

/**
 * Responds with its protocol version, except for one page that never arrives; `requested` resolves when it is requested.
 */
async function serveSlow(t: TestContext): Promise<{ site: Site; requested: Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const site = await serveH2(t, (request, response) => {
    if (request.url === '/slow') resolve()
    else response.end(request.httpVersion)
  })
  return { site, requested: promise }
}

/** Responds to one request per connection, except on those that are to end, and to any over HTTP/1.1 with "plain". */
async function serveEnding(t: TestContext, isEnding: (connection: number) => boolean): Promise<Site> {
  let connections = 0
  return serveFrames(
    t,
    (send, stream, socket) => {
      connections += 1
      if (isEnding(connections)) return socket.destroy()
      send(okHeaders(stream), data(stream, 'page', true), goAway(stream))
    },
    'plain',
  )
}

describe('a host that offers HTTP/2', () => {
  before(() => setDefaultCACertificates([...getCACertificates('default'), TRUSTED]))

  it('is requested over it, on one connection', async (t) => {
    const site = await serveH2(t, (request, response) => response.end(`${request.httpVersion} ${request.url}`))
    const client = openClient(t, { connectionsPerOrigin: 4 })
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => getResponse(client, `${site.origin}/${i}?q`)),
    )
    assert.deepEqual(
      responses.map(({ body }) => body.toString()),
      responses.map((_, i) => `2.0 /${i}?q`),
    )
    assert.equal(site.connections(), 1)
    assert.equal(responses[0]?.ip, '127.0.0.1')
  })

  it('never gets more concurrent requests than allowed', async (t) => {
    const waiting: Http2ServerResponse[] = []
    let most = 0
    const site = await serveH2(t, (_request, response) => {
      waiting.push(response)
      most = Math.max(most, waiting.length)
      if (waiting.length === 3) for (const held of waiting.splice(0)) held.end('page')
    })
    const client = openClient(t, { connectionsPerOrigin: 3 })
    const results = await Promise.all(Array.from({ length: 30 }, (_, i) => get(client, `${site.origin}/${i}`)))
    assert.deepEqual(new Set(results.map(({ kind }) => kind)), new Set(['response']))
    assert.equal(most, 3)
  })

  it('gets the same headers, and its own are unchanged', async (t) => {
    const site = await serveH2(t, (request, response) => {
      response.setHeader('X-Robots-Tag', ['noindex', 'bot: nofollow'])
      response.setHeader('Content-Type', 'text/plain')
      response.end(
        JSON.stringify([request.headers['user-agent'], request.headers[':authority'], request.headers['x-a']]),
      )
    })
    const client = openClient(t, {
      headers: ['X-A: b', 'Connection: close'],
      startUrls: [site.origin],
      sentHeads: 'full',
    })
    const response = await getResponse(client, `${site.origin}/`)
    assert.equal(response.body.toString(), JSON.stringify(['Tester/1.0', `localhost:${site.port}`, 'b']))
    assert.deepEqual([response.robotsTag, response.contentType], ['noindex\nbot: nofollow', 'text/plain'])
    assert.deepEqual(response.rawHeaders.slice(0, 4).map(String), [
      'x-robots-tag',
      'noindex',
      'x-robots-tag',
      'bot: nofollow',
    ])
    assert.match(response.sent ?? '', /^GET \/ HTTP\/1\.1\r\nhost: localhost:\d+\r\nuser-agent: Tester\/1\.0\r\n/)
  })

  it('may send early hints and then exceed the body limit', async (t) => {
    const site = await serveH2(t, (_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.end('x'.repeat(5000))
    })
    const response = await getResponse(openClient(t, { maxBodyBytes: 1000 }), `${site.origin}/`)
    assert.deepEqual([response.status, response.body.length, response.truncated], [200, 1000, true])
  })

  for (const [name, code] of [
    ['without an error', NO_ERROR],
    ['as cancelled', CANCEL],
    ['with an error of its own', INTERNAL_ERROR],
  ] as const) {
    it(`that resets a stream ${name} before its body ends loses it`, async (t) => {
      const site = await serveFrames(t, (send, stream) => {
        send(okHeaders(stream), data(stream, 'half'))
        setTimeout(() => send(reset(stream, code)), 20)
      })
      assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, 'connection_lost')
    })
  }

  it('that closes the connection before a body ends loses it', async (t) => {
    const site = await serveFrames(t, (send, stream, socket) => {
      send(okHeaders(stream), data(stream, 'half'))
      setTimeout(() => socket.end(), 20)
    })
    assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, 'connection_lost')
  })

  it('may reset a stream after its body has ended', async (t) => {
    const site = await serveFrames(t, (send, stream) =>
      send(okHeaders(stream), data(stream, 'all', true), reset(stream, NO_ERROR)),
    )
    assert.equal((await getResponse(openClient(t), `${site.origin}/`)).body.toString(), 'all')
  })

  it('delivers whole bodies to a busy client', async (t) => {
    const site = await serveH2(t, (_request, response) => response.end('page'.repeat(100)))
    const client = openClient(t, { connectionsPerOrigin: 16 })
    let left = 400
    const results: string[] = []
    const ask = async (): Promise<void> => {
      while (left-- > 0) {
        const result = await get(client, `${site.origin}/${left}`)
        results.push(result.kind === 'response' ? 'whole' : result.detail)
        // As long as parsing a page would take.
        const until = performance.now() + 1
        while (performance.now() < until);
      }
    }
    await Promise.all(Array.from({ length: 16 }, ask))
    assert.deepEqual([results.length, new Set(results)], [400, new Set(['whole'])])
  })

  it('that goes away is requested over a new connection', async (t) => {
    const site = await serveFrames(t, (send, stream) =>
      send(okHeaders(stream), data(stream, 'page', true), goAway(stream)),
    )
    const client = openClient(t)
    for (let i = 0; i < 3; i++) assert.equal((await getResponse(client, `${site.origin}/${i}`)).body.toString(), 'page')
    assert.equal(site.connections(), 3)
  })

  it('that violates HTTP/2 is requested over HTTP/1.1 from then on', async (t) => {
    const site = await serveFrames(t, (send) => send(breach()), 'plain')
    const client = openClient(t)
    assert.equal((await get(client, `${site.origin}/`)).kind, 'failure')
    for (let i = 0; i < 2; i++) assert.equal((await getResponse(client, `${site.origin}/`)).body.toString(), 'plain')
  })

  it('stays on HTTP/2 if a later connection ends without a response', async (t) => {
    const site = await serveEnding(t, (connection) => connection === 2)
    const client = openClient(t)
    assert.equal((await getResponse(client, `${site.origin}/1`)).body.toString(), 'page')
    assert.equal((await get(client, `${site.origin}/2`)).kind, 'failure')
    assert.equal((await getResponse(client, `${site.origin}/3`)).body.toString(), 'page')
  })

  it('is requested over HTTP/1.1 once three connections in a row ended without a response', async (t) => {
    const site = await serveEnding(t, (connection) => connection > 1)
    const client = openClient(t)
    assert.equal((await getResponse(client, `${site.origin}/1`)).body.toString(), 'page')
    for (let i = 0; i < 3; i++) assert.equal((await get(client, `${site.origin}/2`)).kind, 'failure')
    assert.equal((await getResponse(client, `${site.origin}/3`)).body.toString(), 'plain')
  })

  it('never gets more concurrent requests than allowed when it falls back to HTTP/1.1', async (t) => {
    let connections = 0
    const site = await serveFrames(
      t,
      (send, stream, socket) => {
        connections += 1
        if (connections > 1) return send(reset(stream, HTTP_1_1_REQUIRED))
        socket.on('data', (frames: Buffer) => {
          if (requestsIn(frames).length > 0) send(goAway(stream + 2))
        })
        send(okHeaders(stream), data(stream, 'page', true))
      },
      'plain',
    )
    const client = openClient(t, { connectionsPerOrigin: 2 })
    await getResponse(client, `${site.origin}/1`)
    const inFlight = getResponse(client, `${site.origin}/2`)
    assert.equal((await get(client, `${site.origin}/3`)).kind, 'failure')
    // Cancelled and sent again: it would otherwise be in flight together with two requests over HTTP/1.1.
    assert.equal((await inFlight).body.toString(), 'plain')
  })

  it('that refuses streams is not requested again at once', async (t) => {
    let requests = 0
    const site = await serveFrames(t, (send, stream, socket) => {
      send(okHeaders(stream), data(stream, 'page', true))
      socket.on('data', (frames: Buffer) => {
        for (const stream of requestsIn(frames)) {
          requests += 1
          send(reset(stream, REFUSED_STREAM))
        }
      })
    })
    const client = openClient(t)
    await getResponse(client, `${site.origin}/1`)
    assert.equal((await getFailure(client, `${site.origin}/2`)).problem, 'connection_lost')
    assert.equal(requests, 1)
    assert.equal((await getResponse(client, `${site.origin}/3`)).body.toString(), 'page')
    assert.equal(site.connections(), 2)
  })

  it('leaves nothing behind if the client is closed after a response', async (t) => {
    const site = await serveH2(t, (request, response) => {
      if (request.url === '/1') response.end('page')
    })
    const client = openClient(t)
    await getResponse(client, `${site.origin}/1`)
    const never = get(client, `${site.origin}/2`)
    await new Promise((resolve) => setImmediate(resolve))
    await client.close()
    assert.equal((await never).kind, 'failure')
  })

  it('gets every custom header, as HTTP/2 allows', async (t) => {
    const site = await serveH2(t, (request, response) => response.end(String(request.headers['x-a'])))
    const client = openClient(t, {
      headers: ['X-A: 1', 'X-A: 2', 'TE: gzip', 'Connection: close'],
      startUrls: [site.origin],
    })
    assert.equal((await getResponse(client, `${site.origin}/`)).body.toString(), '1, 2')
  })

  it('that requires HTTP/1.1 after all gets it from then on', async (t) => {
    const site = await serveFrames(t, (send, stream) => send(reset(stream, HTTP_1_1_REQUIRED)), 'plain')
    const client = openClient(t)
    assert.equal((await getFailure(client, `${site.origin}/`)).problem, 'connection_lost')
    assert.equal((await getResponse(client, `${site.origin}/`)).body.toString(), 'plain')
  })

  it('stays on HTTP/2 if one page never arrives while others do', async (t) => {
    const clock = new ManualClock()
    const { site, requested } = await serveSlow(t)
    const client = openClient(t, { connectionsPerOrigin: 3 }, clock)
    const slow = getFailure(client, `${site.origin}/slow`)
    await requested
    assert.equal((await getResponse(client, `${site.origin}/1`)).body.toString(), '2.0')
    clock.advance(16_000)
    assert.equal((await slow).problem, 'headers_timeout')
    assert.equal((await getResponse(client, `${site.origin}/2`)).body.toString(), '2.0')
    assert.equal(site.connections(), 1)
  })

  it('that falls silent is requested over a new connection', async (t) => {
    const clock = new ManualClock()
    const { site, requested } = await serveSlow(t)
    const client = openClient(t, {}, clock)
    await getResponse(client, `${site.origin}/1`)
    const slow = getFailure(client, `${site.origin}/slow`)
    await requested
    clock.advance(16_000)
    assert.equal((await slow).problem, 'headers_timeout')
    assert.equal((await getResponse(client, `${site.origin}/2`)).body.toString(), '2.0')
    assert.equal(site.connections(), 2)
  })

  it('that does not respond times out', async (t) => {
    const site = await serveFrames(t, () => undefined)
    assert.match((await getFailure(openClient(t, { timeoutMs: 300 }), `${site.origin}/`)).problem, /timeout$/)
  })

  it('that stops in the middle of a body times out', async (t) => {
    const site = await serveFrames(t, (send, stream) => send(okHeaders(stream), data(stream, 'half')))
    assert.match((await getFailure(openClient(t, { timeoutMs: 300 }), `${site.origin}/`)).problem, /timeout$/)
  })

  it('with endless headers is aborted', async (t) => {
    const site = await serveH2(t, (_request, response) => {
      for (let i = 0; i < 40; i++) response.setHeader(`x-${i}`, 'y'.repeat(1000))
      response.end('page')
    })
    const { problem, detail } = await getFailure(openClient(t), `${site.origin}/`)
    assert.deepEqual([problem, detail], ['headers_too_large', 'HEADERS_TOO_LARGE'])
  })

  it('leaves no request behind if the client is closed', async (t) => {
    const site = await serveH2(t, () => undefined)
    const client = openClient(t)
    const never = [get(client, `${site.origin}/1`), get(client, `${site.origin}/2`)]
    while (client.countUnsent().connect + client.countUnsent().dns > 0)
      await new Promise((resolve) => setImmediate(resolve))
    await client.close()
    for (const result of await Promise.all(never)) assert.equal(result.kind, 'failure')
  })
})

describe('a host that offers only HTTP/1.1', () => {
  before(() => setDefaultCACertificates([...getCACertificates('default'), TRUSTED]))

  it('is requested over the connection that negotiated it', async (t) => {
    const server = createServer({ key: KEY, cert: TRUSTED, keepAliveTimeout: 60_000 }, (request, response) =>
      response.end(`HTTP/${request.httpVersion}`),
    )
    const site = await openSite(t, server)
    const client = openClient(t)
    for (let i = 0; i < 3; i++) {
      const response = await getResponse(client, `https://localhost:${site.port}/${i}`)
      assert.equal(response.body.toString(), 'HTTP/1.1')
    }
    assert.equal(site.connections(), 1)
  })
})
