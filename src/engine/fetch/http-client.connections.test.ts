import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { FetchResult } from './fetch-result.ts'
import {
  closedPort,
  get,
  getFailure,
  getResponse,
  openClient,
  openSite,
  resolverWith,
  type Site,
  serveHttp,
  serveRaw,
} from './testing/test-client.ts'

const PAGE = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'

/** `times` is the number of requests each connection serves in sequence; the next request closes it. */
async function serveTimes(t: TestContext, times: number[]): Promise<Site & { requested: string[] }> {
  const requested: string[] = []
  const server = createServer((socket) => {
    let left = times.shift() ?? 0
    socket.on('data', (head) => {
      requested.push(head.toString().split(' ')[1] ?? '')
      left -= 1
      if (left >= 0) socket.write(PAGE)
      else socket.destroy()
    })
  })
  return { ...(await openSite(t, server)), requested }
}

describe('connections', () => {
  it('are kept alive for the next request', async (t) => {
    const site = await serveHttp(t, (request, response) => response.end(String(request.socket.remotePort)))
    const client = openClient(t)
    const first = await getResponse(client, `${site.origin}/1`)
    const second = await getResponse(client, `${site.origin}/2`)
    assert.equal(first.body.toString(), second.body.toString())
    assert.equal(site.connections(), 1)
  })

  it('that the server closes after each response are reopened', async (t) => {
    const site = await serveHttp(t, (_request, response) => {
      response.writeHead(200, { Connection: 'close' }).end('page')
    })
    const client = openClient(t)
    for (let i = 0; i < 5; i++) assert.equal((await getResponse(client, `${site.origin}/${i}`)).body.toString(), 'page')
    assert.equal(site.connections(), 5)
  })

  it('never exceed the limit of one origin', async (t) => {
    const waiting: ServerResponse[] = []
    let most = 0
    const site = await serveHttp(t, (_request, response) => {
      waiting.push(response)
      most = Math.max(most, waiting.length)
      if (waiting.length === 3) for (const held of waiting.splice(0)) held.end('page')
    })
    const client = openClient(t, { connectionsPerOrigin: 3 })
    const results = await Promise.all(Array.from({ length: 30 }, (_, i) => get(client, `${site.origin}/${i}`)))
    assert.deepEqual(new Set(results.map((result) => result.kind)), new Set(['response']))
    assert.deepEqual([most, site.connections()], [3, 3])
  })

  it('of one origin do not affect another', async (t) => {
    const stuck = await serveRaw(t, () => undefined)
    const quick = await serveHttp(t, (_request, response) => response.end('page'))
    const client = openClient(t)
    const never = get(client, `${stuck.origin}/`)
    assert.equal((await getResponse(client, `${quick.origin}/`)).status, 200)
    await client.close()
    assert.equal((await never).kind, 'failure')
  })

  it('that broke under one request are reopened for the next', async (t) => {
    let count = 0
    const site = await serveRaw(t, (socket) => {
      count += 1
      if (count === 1) socket.resetAndDestroy()
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage')
    })
    const client = openClient(t)
    assert.equal((await getFailure(client, `${site.origin}/`)).problem, 'connection_lost')
    assert.equal((await getResponse(client, `${site.origin}/`)).body.toString(), 'page')
  })

  it('that the server has closed in the meantime are not reused', async (t) => {
    let closed = Promise.resolve<unknown>(null)
    const site = await serveRaw(t, (socket) => {
      // Both sides have ended the connection by then.
      closed = once(socket.end(PAGE), 'close')
    })
    const client = openClient(t)
    for (let i = 0; i < 5; i++) {
      assert.equal((await getResponse(client, `${site.origin}/${i}`)).status, 200)
      await closed
    }
    assert.equal(site.connections(), 5)
  })

  it('that the server closes after every few responses lose few requests', async (t) => {
    for (const responses of [1, 2, 5]) {
      const site = await serveTimes(
        t,
        Array.from({ length: 100 }, () => responses),
      )
      const client = openClient(t)
      let lost = 0
      for (let i = 0; i < 60; i++) if ((await get(client, `${site.origin}/${i}`)).kind === 'failure') lost += 1
      assert.equal(lost, 2, `${responses} responses each`)
    }
  })

  it('with unsolicited data are not reused', async (t) => {
    const sockets: Socket[] = []
    const site = await serveRaw(t, (socket) => {
      sockets.push(socket)
      socket.write(PAGE)
    })
    const client = openClient(t)
    for (let i = 0; i < 3; i++) {
      assert.equal((await getResponse(client, `${site.origin}/${i}`)).body.toString(), 'page')
      const socket = sockets.at(-1)
      assert.ok(socket !== undefined)
      const closed = once(socket, 'close')
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong')
      await closed
    }
    assert.equal(site.connections(), 3)
  })

  it('that cannot be opened leave their requests to open ones', async (t) => {
    const site = await serveHttp(t, (_request, response) => response.end('page'))
    let lookups = 0
    const resolver = resolverWith((_hostname, _options, callback) => {
      lookups += 1
      if (lookups === 1) callback(null, [{ address: '127.0.0.1', family: 4 }])
      else callback(Object.assign(new Error(), { code: 'ECONNREFUSED' }), [])
    })
    const client = openClient(t, { resolver, connectionsPerOrigin: 4 })
    const url = `http://few.test:${site.port}/`
    await getResponse(client, url)
    const results = await Promise.all(Array.from({ length: 50 }, () => get(client, url)))
    assert.deepEqual(new Set(results.map(({ kind }) => kind)), new Set(['response']))
    assert.ok(lookups < 10, `${lookups} dials`)
  })

  it('are reused again after a temporary problem of the server', async (t) => {
    const site = await serveTimes(t, [1, 1, ...Array.from({ length: 600 }, () => 100)])
    const client = openClient(t)
    const lost: number[] = []
    for (let i = 0; i < 600; i++) if ((await get(client, `${site.origin}/${i}`)).kind === 'failure') lost.push(i)
    assert.deepEqual(lost, [1, 3])
    // Two connections at first, then one per response, then one for all.
    assert.ok(site.connections() > 490 && site.connections() < 510, `${site.connections()} connections`)
  })

  it('with more data than requested are not reused', async (t) => {
    const site = await serveRaw(t, (socket) => socket.write(`${PAGE}HTTP/1.1 200 OK\r\n`))
    const client = openClient(t)
    for (let i = 0; i < 3; i++) assert.equal((await getResponse(client, `${site.origin}/${i}`)).status, 200)
    assert.equal(site.connections(), 3)
  })

  it('that close as a request arrives lose it: whether it was processed is unknown', async (t) => {
    const site = await serveTimes(t, [1, 1])
    const client = openClient(t)
    await getResponse(client, `${site.origin}/1`)
    assert.equal((await getFailure(client, `${site.origin}/2`)).problem, 'connection_lost')
    await getResponse(client, `${site.origin}/3`)
    assert.deepEqual(site.requested, ['/1', '/2', '/3'])
  })

  it('are kept as long as the server allows', async (t) => {
    for (const [header, ms] of [
      ['', 4000],
      ['Keep-Alive: timeout=10\r\n', 9000],
    ] as const) {
      const clock = new ManualClock()
      const site = await serveRaw(t, (socket) => {
        const response = () => socket.write(`HTTP/1.1 200 OK\r\n${header}Content-Length: 0\r\n\r\n`)
        response()
        socket.on('data', response)
      })
      const client = openClient(t, {}, clock)
      await getResponse(client, `${site.origin}/1`)
      clock.advance(ms - 250)
      await getResponse(client, `${site.origin}/2`)
      assert.equal(site.connections(), 1)
      clock.advance(ms + 250)
      await getResponse(client, `${site.origin}/3`)
      assert.equal(site.connections(), 2)
    }
  })

  it('that open too late for their request are closed too', async (t) => {
    const clock = new ManualClock()
    const lookups: (() => void)[] = []
    const site = await serveHttp(t, (_request, response) => response.end())
    const closed = new Promise((resolve) => site.server.once('connection', (socket) => socket.once('close', resolve)))
    const resolver = resolverWith((_hostname, _options, callback) => {
      lookups.push(() => callback(null, [{ address: '127.0.0.1', family: 4 }]))
    })
    const client = openClient(t, { resolver }, clock)
    const url = `http://late.test:${site.port}/`
    const deadline = { endDeadline: clock.now() + 1000 }
    const result = new Promise<FetchResult>((resolve) => client.fetch(url, resolve, undefined, deadline))
    clock.advance(2000)
    assert.equal((await result).kind, 'failure')
    const connected = once(site.server, 'connection')
    for (const response of lookups) response()
    await connected
    await turn()
    clock.advance(10_000)
    await closed
  })

  it('that open after the end of the lease send nothing', async (t) => {
    const clock = new ManualClock()
    const lookups: (() => void)[] = []
    const requested: string[] = []
    const site = await serveHttp(t, (request, response) => {
      requested.push(request.url ?? '')
      response.end()
    })
    const resolver = resolverWith((_hostname, _options, callback) => {
      lookups.push(() => callback(null, [{ address: '127.0.0.1', family: 4 }]))
    })
    const client = openClient(t, { resolver }, clock)
    const url = (path: string) => `http://late.test:${site.port}${path}`
    const fetch = (path: string, endDeadline: number) =>
      new Promise<FetchResult>((resolve) => client.fetch(url(path), resolve, undefined, { endDeadline }))
    // Simulates a suspended process: the time has passed, and no timer has run.
    const late = fetch('/late', clock.now())
    const next = fetch('/next', clock.now() + 1000)
    for (const response of lookups) response()
    assert.equal((await next).kind, 'response')
    assert.deepEqual(requested, ['/next'])
    clock.advance(500)
    assert.equal((await late).kind, 'failure')
  })

  it('to the least recently used origin are closed if there are too many origins', async (t) => {
    const site = await serveHttp(t, (_request, response) => response.end('page'))
    const port = await closedPort()
    // Any number of origins, none of which opens a connection: more zeros, same port.
    const other = (i: number) => `http://127.0.0.1:${'0'.repeat(i)}${port}/`
    const client = openClient(t)
    await getResponse(client, `${site.origin}/`)
    for (let i = 0; i < 511; i++) await getFailure(client, other(i))
    await getResponse(client, `${site.origin}/`)
    for (let i = 511; i < 600; i++) await getFailure(client, other(i))
    await getResponse(client, `${site.origin}/`)
    assert.equal(site.connections(), 1)
    for (let i = 600; i < 1200; i++) await getFailure(client, other(i))
    await getResponse(client, `${site.origin}/`)
    assert.equal(site.connections(), 2)
  })
})
