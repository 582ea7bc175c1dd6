import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FetchResult } from './fetch-result.ts'
import type { HttpClient } from './http-client.ts'
import { closedPort, get, getResponse, openClient, serveHttp, serveRaw } from './testing/test-client.ts'

/** Fetches, and records how often and how soon each callback came. */
function fetchAll(client: HttpClient, urls: string[]) {
  const calls = urls.map(() => 0)
  const results: FetchResult[] = []
  let early = 0
  const all = Promise.all(
    urls.map(
      (url, i) =>
        new Promise<void>((resolve) => {
          let isBack = false
          client.fetch(url, (result) => {
            if (!isBack) early += 1
            calls[i] = (calls[i] ?? 0) + 1
            results.push(result)
            resolve()
          })
          isBack = true
        }),
    ),
  )
  const settle = async () => {
    await all
    // Anything that would call a second time has done so by now.
    await client.close()
    await new Promise(setImmediate)
    return { early, notOnce: calls.filter((count) => count !== 1).length, results }
  }
  return settle
}

function paths(origin: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${origin}/${i}`)
}

describe('the callback comes once, and never before fetch has returned', () => {
  it('if many connections are refused at once', async (t) => {
    const urls = paths(`http://127.0.0.1:${await closedPort()}`, 300)
    const { early, notOnce, results } = await fetchAll(openClient(t, { connectionsPerOrigin: 5 }), urls)()
    assert.deepEqual([early, notOnce, results.length], [0, 0, 300])
  })

  it('if many addresses are blocked at once', async (t) => {
    const urls = [
      ...paths('http://127.0.0.1', 100),
      ...paths('http://[::1]:8080', 100),
      ...paths('http://localhost', 100),
    ]
    const { early, notOnce, results } = await fetchAll(openClient(t, { allowPrivate: false }), urls)()
    assert.deepEqual([early, notOnce], [0, 0])
    assert.deepEqual(new Set(results.map((r) => r.kind === 'failure' && r.problem)), new Set(['address_blocked']))
  })

  it('if connections break, bodies are truncated and responses arrive, all at once', async (t) => {
    let count = 0
    const site = await serveRaw(t, (socket) => {
      count += 1
      if (count % 4 === 0) socket.resetAndDestroy()
      else if (count % 4 === 1) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')
      else if (count % 4 === 2) socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n${'x'.repeat(9000)}`)
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx')
    })
    const client = openClient(t, { connectionsPerOrigin: 7, maxBodyBytes: 100 })
    const { early, notOnce, results } = await fetchAll(client, paths(site.origin, 200))()
    assert.deepEqual([early, notOnce, results.length], [0, 0, 200])
    assert.deepEqual(new Set(results.map((result) => result.kind)), new Set(['response', 'failure']))
  })
})

describe('a closed client', () => {
  it('fails requests in flight and waiting ones, once each', async (t) => {
    let requests = 0
    const allBusy = Promise.withResolvers<void>()
    const site = await serveRaw(t, () => {
      requests += 1
      if (requests === 4) allBusy.resolve()
    })
    const client = openClient(t, { connectionsPerOrigin: 4 })
    const settle = fetchAll(client, paths(site.origin, 20))
    await allBusy.promise
    await client.close()
    const { early, notOnce, results } = await settle()
    assert.deepEqual([early, notOnce, requests], [0, 0, 4])
    assert.ok(results.every((result) => result.kind === 'failure'))
  })

  it('fails a request made while it closes', async (t) => {
    const site = await serveRaw(t, () => undefined)
    const client = openClient(t)
    const first = fetchAll(client, paths(site.origin, 1))
    const closed = client.close()
    const second = fetchAll(client, paths(site.origin, 1))
    await closed
    for (const { early, notOnce, results } of [await first(), await second()]) {
      assert.deepEqual([early, notOnce, results[0]?.kind], [0, 0, 'failure'])
    }
  })

  it('leaves no connection behind', async (t) => {
    const closed: Promise<unknown>[] = []
    const site = await serveHttp(t, (request, response) => {
      closed.push(once(request.socket, 'close'))
      response.end('page')
    })
    const client = openClient(t)
    await getResponse(client, `${site.origin}/`)
    await client.close()
    await Promise.all(closed)
    assert.equal(closed.length, 1)
  })
})

describe('two thousand requests', () => {
  it('do not grow the heap', async (t) => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const heapBytes = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const page = 'x'.repeat(20_000)
    const site = await serveHttp(t, (_request, response) => response.end(page))
    const client = openClient(t, { connectionsPerOrigin: 4 })
    const fetchSome = async (count: number) => {
      for (let i = 0; i < count; i += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, k) => get(client, `${site.origin}/${i + k}`)))
      }
    }
    await fetchSome(400)
    const before = heapBytes()
    await fetchSome(2000)
    const grownBytes = heapBytes() - before
    assert.ok(grownBytes < 4_000_000, `grew by ${grownBytes} bytes`)
    assert.equal(site.connections(), 4)
  })
})
