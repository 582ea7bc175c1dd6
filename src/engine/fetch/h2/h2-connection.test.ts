import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { connect, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { systemClock } from '../../../lib/clock.ts'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { TRUSTED } from '../testing/certificates.ts'
import {
  continuation,
  data,
  goAway,
  headers,
  okHeaders,
  requestsIn,
  reset,
  STATUS_200,
  serveFrames,
  serveH2,
} from '../testing/h2-servers.ts'
import { get, getFailure, getResponse, openClient } from '../testing/test-client.ts'
import { FLAG, FRAME, frame, H2_ERROR, SETTING, settingsFrame } from './frames.ts'
import { H2Connection } from './h2-connection.ts'
import { encodeField } from './hpack-encoder.ts'

const STATUS_103 = encodeField(':status', '103')
const MEGABYTE = 1 << 20

/** Frames of this type that arrive from now on. */
function framesOf(socket: TLSSocket, type: number): { flags: number; payload: Buffer }[] {
  const found: { flags: number; payload: Buffer }[] = []
  socket.on('data', (frames: Buffer) => {
    for (let at = 0; at + 9 <= frames.length; at += 9 + frames.readUIntBE(at, 3)) {
      const payload = frames.subarray(at + 9, at + 9 + frames.readUIntBE(at, 3))
      if (frames[at + 3] === type) found.push({ flags: frames[at + 4] ?? 0, payload })
    }
  })
  return found
}

describe('an HTTP/2 connection', () => {
  before(() => setDefaultCACertificates([...getCACertificates('default'), TRUSTED]))

  it('reads any headers that a server may send', async (t) => {
    const name = fc.stringMatching(/^x-[a-z\d-]{1,20}$/)
    const value = fc.stringMatching(/^(?:[\x21-\x7e\xa1-\xff][\x20-\x7e\xa1-\xff]{0,80}[\x21-\x7e\xa1-\xff])?$/)
    const anyHeaders = fc.uniqueArray(fc.tuple(name, value), { maxLength: 12, selector: ([key]) => key })
    const sent: [string, string][][] = []
    const site = await serveH2(t, (request, response) => {
      for (const [key, text] of sent[Number(request.url?.slice(1))] ?? []) response.setHeader(key, text)
      response.end()
    })
    const client = openClient(t)
    await fc.assert(
      fc.asyncProperty(anyHeaders, async (given) => {
        sent.push(given)
        const { rawHeaders } = await getResponse(client, `${site.origin}/${sent.length - 1}`)
        const received = rawHeaders.flatMap((key, i) => (i % 2 === 0 ? [[key, rawHeaders[i + 1]]] : []))
        assert.deepEqual(
          received.filter(([key]) => key?.startsWith('x-')),
          given,
        )
      }),
    )
    assert.equal(site.connections(), 1)
  })

  it('receives more than its windows hold', async (t) => {
    const page = Buffer.alloc(3 * MEGABYTE, 'page')
    const site = await serveH2(t, (_request, response) => response.end(page))
    const client = openClient(t, { connectionsPerOrigin: 4, maxBodyBytes: 4 * MEGABYTE })
    const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => getResponse(client, `${site.origin}/${i}`)))
    for (const { body } of responses) assert.ok(body.equals(page))
    assert.equal(site.connections(), 1)
  })

  it('reads heads in several frames, with padding and priority', async (t) => {
    const block = Buffer.concat([Buffer.from([STATUS_200]), encodeField('x-a', 'b')])
    const flags = FLAG.padded | FLAG.priority
    const first = Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 9]), block.subarray(0, 2), Buffer.alloc(3)])
    const site = await serveFrames(t, (send, stream) =>
      send(
        headers(stream, STATUS_103),
        headers(stream, first, flags),
        continuation(stream, block.subarray(2, 4)),
        continuation(stream, block.subarray(4), FLAG.endHeaders),
        data(stream, 'page'),
        headers(stream, encodeField('x-trailer', 'c'), FLAG.endHeaders | FLAG.endStream),
      ),
    )
    const { body, rawHeaders, status } = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual([status, rawHeaders, body.toString()], [200, ['x-a', 'b'], 'page'])
  })

  it('ignores fields that are invalid or concern the connection', async (t) => {
    const fields = [
      ['X-Upper', 'a'],
      ['x-break', 'a\r\nx-b: c'],
      ['transfer-encoding', 'chunked'],
      ['x-good', 'a'],
    ] as const
    const block = Buffer.concat([Buffer.from([STATUS_200]), ...fields.map(([name, value]) => encodeField(name, value))])
    const site = await serveFrames(t, (send, stream) => send(headers(stream, block), data(stream, '', true)))
    assert.deepEqual((await getResponse(openClient(t), `${site.origin}/`)).rawHeaders, ['x-good', 'a'])
  })

  for (const [name, length] of [
    ['shorter', '5'],
    ['longer', '3'],
  ] as const) {
    it(`fails a response whose body is ${name} than announced`, async (t) => {
      const block = Buffer.concat([Buffer.from([STATUS_200]), encodeField('content-length', length)])
      const site = await serveFrames(t, (send, stream) => send(headers(stream, block), data(stream, 'page', true)))
      assert.equal((await getFailure(openClient(t), `${site.origin}/`)).detail, 'HTTP2_BREACH')
    })
  }

  it('accepts a 304 that announces the length of the page', async (t) => {
    const block = Buffer.concat([encodeField(':status', '304'), encodeField('content-length', '5')])
    const site = await serveFrames(t, (send, stream) => send(headers(stream, block, FLAG.endHeaders | FLAG.endStream)))
    assert.equal((await getResponse(openClient(t), `${site.origin}/`)).status, 304)
  })

  for (const [name, ...frames] of [
    ['a push', frame({ type: FRAME.pushPromise, flags: FLAG.endHeaders, stream: 1 }, Buffer.alloc(5))],
    ['a head without a status', headers(1, encodeField('x-a', 'b'))],
    ['a second status', headers(1, [STATUS_200, STATUS_200])],
    ['a broken head', headers(1, [0x80])],
    ['a continuation of nothing', continuation(1, [STATUS_200], FLAG.endHeaders)],
    ['an interrupted head', headers(1, [STATUS_200], 0), data(1, 'page', true)],
    ['a body without a head', data(1, 'page', true)],
    ['a ping of the wrong length', frame({ type: FRAME.ping, flags: 0, stream: 0 }, Buffer.alloc(7))],
    ['settings of the wrong length', frame({ type: FRAME.settings, flags: 0, stream: 0 }, Buffer.alloc(7))],
  ] as const) {
    it(`fails on ${name}`, async (t) => {
      const site = await serveFrames(t, (send) => send(...frames))
      assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, 'http_invalid')
    })
  }

  it('ends a head in too many frames, even if they are empty', async (t) => {
    const closed = Promise.withResolvers<void>()
    const site = await serveFrames(t, (send, stream, socket) => {
      socket.on('close', () => closed.resolve())
      send(headers(stream, [STATUS_200], 0), ...Array.from({ length: 1000 }, () => continuation(stream, [])))
    })
    assert.equal((await getFailure(openClient(t, { timeoutMs: 5000 }), `${site.origin}/`)).detail, 'HEADERS_TOO_LARGE')
    await closed.promise
  })

  it('notifies a listener that closes it of one end', async (t) => {
    const site = await serveFrames(t, (send, stream) => send(okHeaders(stream), data(stream, 'page', true)))
    const socket = connect({ port: site.port, host: '127.0.0.1', servername: 'localhost', ALPNProtocols: ['h2'] })
    const { promise, resolve } = Promise.withResolvers<void>()
    const settings = { host: 'localhost', headers: [], maxHeadBytes: 1000, clock: systemClock }
    const ignore = () => undefined
    const connection = new H2Connection(socket, settings, { retired: ignore, closed: resolve, hasRoom: ignore })
    const ends: string[] = []
    const listener = {
      isWanted: true,
      onStart: ignore,
      onHead: ignore,
      onBody: ignore,
      onEnd: () => {
        ends.push('end')
        connection.destroy()
      },
      onError: () => ends.push('error'),
    }
    connection.request({ path: '/', extraHeaders: [], listener }, (end) => ends.push(end))
    await promise
    assert.deepEqual(ends, ['end', 'reported'])
  })

  it('closes when it is idle, whatever the server goes on sending', { timeout: 20_000 }, async (t) => {
    const clock = new ManualClock()
    const closed = Promise.withResolvers<void>()
    const site = await serveFrames(t, (send, stream, socket) => {
      socket.on('close', () => closed.resolve())
      send(okHeaders(stream), data(stream, 'page', true))
      const sendMore = () => {
        if (socket.destroyed) return
        send(data(stream, ''))
        setTimeout(sendMore, 20)
      }
      sendMore()
    })
    await getResponse(openClient(t, {}, clock), `${site.origin}/`)
    clock.advance(5000)
    await closed.promise
  })

  it('replies to pings and settings', async (t) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const ping = Buffer.from('12345678')
    const site = await serveFrames(t, (send, stream, socket) => {
      const replies = framesOf(socket, FRAME.ping)
      const acknowledged = framesOf(socket, FRAME.settings)
      socket.on('data', () => {
        const [reply] = replies
        if (reply === undefined || acknowledged.length === 0) return
        send(okHeaders(stream), data(stream, 'page', true))
        resolve(reply.flags === FLAG.ack && reply.payload.equals(ping) && acknowledged[0]?.flags === FLAG.ack)
      })
      send(frame({ type: FRAME.ping, flags: 0, stream: 0 }, ping))
    })
    await getResponse(openClient(t), `${site.origin}/`)
    assert.equal(await promise, true)
  })

  it('keeps to the number of requests that the server allows', async (t) => {
    let most = 0
    const site = await serveFrames(t, (send, stream, socket) => {
      const waiting: number[] = []
      socket.on('data', (frames: Buffer) => {
        waiting.push(...requestsIn(frames))
        most = Math.max(most, waiting.length)
        const next = waiting.shift()
        if (next !== undefined) send(okHeaders(next), data(next, 'page', true))
      })
      send(settingsFrame([[SETTING.maxConcurrentStreams, 1]]), okHeaders(stream), data(stream, 'page', true))
    })
    const client = openClient(t, { connectionsPerOrigin: 8 })
    await getResponse(client, `${site.origin}/`)
    await Promise.all(Array.from({ length: 8 }, (_, i) => getResponse(client, `${site.origin}/${i}`)))
    assert.deepEqual([most, site.connections()], [1, 1])
  })

  it('confirms that it uses no table if the server allows none', async (t) => {
    const second = Promise.withResolvers<Buffer>()
    const site = await serveFrames(t, (send, stream, socket) => {
      const requests = framesOf(socket, FRAME.headers)
      socket.on('data', () => {
        const [request] = requests
        if (request === undefined) return
        second.resolve(request.payload)
        send(okHeaders(3), data(3, 'page', true))
      })
      send(settingsFrame([[SETTING.headerTableSize, 0]]), okHeaders(stream), data(stream, 'page', true))
    })
    const client = openClient(t)
    await getResponse(client, `${site.origin}/1`)
    await getResponse(client, `${site.origin}/2`)
    assert.equal((await second.promise)[0], 0x20)
  })

  it('sends requests again that the server did not process before it went away', async (t) => {
    const paths: number[] = []
    const site = await serveFrames(t, (send, stream, socket) => {
      send(okHeaders(stream), data(stream, 'page', true))
      socket.on('data', (frames: Buffer) => {
        paths.push(...requestsIn(frames))
        if (requestsIn(frames).length > 0) send(goAway(stream))
      })
    })
    const client = openClient(t)
    await getResponse(client, `${site.origin}/1`)
    assert.equal((await getResponse(client, `${site.origin}/2`)).body.toString(), 'page')
    assert.deepEqual([paths, site.connections()], [[3], 2])
  })

  it('goes on after a response that was aborted', async (t) => {
    const site = await serveH2(t, (request, response) => response.end(request.url === '/1' ? 'x'.repeat(5000) : 'page'))
    const client = openClient(t, { maxBodyBytes: 1000 })
    assert.equal((await getResponse(client, `${site.origin}/1`)).truncated, true)
    assert.equal((await getResponse(client, `${site.origin}/2`)).body.toString(), 'page')
    assert.equal(site.connections(), 1)
  })

  it('fails one stream and keeps the others', async (t) => {
    const site = await serveFrames(t, (send, stream, socket) => {
      send(okHeaders(stream), data(stream, 'page', true))
      socket.on('data', (frames: Buffer) => {
        const [broken, good] = requestsIn(frames)
        if (broken === undefined || good === undefined) return
        send(reset(broken, H2_ERROR.internal), okHeaders(good), data(good, 'page', true))
      })
    })
    const client = openClient(t, { connectionsPerOrigin: 2 })
    await getResponse(client, `${site.origin}/0`)
    const results = await Promise.all(['1', '2'].map((path) => get(client, `${site.origin}/${path}`)))
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['failure', 'response'],
    )
    assert.equal(site.connections(), 1)
  })
})
