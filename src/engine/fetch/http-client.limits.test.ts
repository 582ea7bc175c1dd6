import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { type FetchLimits, pageLimits, ROBOTS_LIMITS } from './fetch-limits.ts'
import type { FetchResult } from './fetch-result.ts'
import type { HttpClient } from './http-client.ts'
import {
  fetchFromStalledServer,
  getFailure,
  getResponse,
  openClient,
  serveHttp,
  serveRaw,
} from './testing/test-client.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'

function getWithin(client: HttpClient, url: string, limits: FetchLimits): Promise<FetchResult> {
  return new Promise((resolve) => client.fetch(url, resolve, limits))
}

describe('a request with its own limits', () => {
  it('may have a longer or a shorter body than a page', async (t) => {
    const site = await serveHttp(t, (_request, response) => response.end('x'.repeat(5000)))
    const client = openClient(t, { maxBodyBytes: 1000 })
    const cutTo = async (limits: FetchLimits) => {
      const result = await getWithin(client, `${site.origin}/`, limits)
      return result.kind === 'response' && [result.body.length, result.truncated]
    }
    assert.deepEqual(await cutTo(pageLimits(10_000)), [5000, false])
    assert.deepEqual(await cutTo(pageLimits(10)), [10, true])
    assert.equal((await getResponse(client, `${site.origin}/`)).body.length, 1000)
  })

  it('may be truncated in a compressed body as well, on the wire and when decoded', async (t) => {
    const rules = Buffer.from(
      Array.from({ length: 40_000 }, (_, i) => `Disallow: /${Math.imul(i, 0x9e3779b1)}\n`).join(''),
    )
    const tight = gzipSync(rules)
    const loose = gzipSync(rules, { level: 0 })
    assert.ok(tight.length < ROBOTS_LIMITS.maxBodyBytes && loose.length > ROBOTS_LIMITS.maxBodyBytes)
    for (const body of [tight, loose]) {
      const site = await serveHttp(t, (_request, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body)
      })
      const result = await getWithin(openClient(t), `${site.origin}/`, ROBOTS_LIMITS)
      assert.ok(result.kind === 'response' && result.truncated)
      assert.ok(result.body.length > ROBOTS_LIMITS.maxBodyBytes * 0.95)
      assert.deepEqual(result.body, rules.subarray(0, result.body.length))
    }
  })

  it('may have a shorter header timeout', async (t) => {
    const clock = new ManualClock()
    const requested = Promise.withResolvers<void>()
    const site = await serveRaw(t, () => requested.resolve())
    const result = getWithin(openClient(t, {}, clock), `${site.origin}/`, pageLimits(1000, 5_000))
    await requested.promise
    clock.advance(20_000)
    const { kind, fetchMs } = await result
    assert.deepEqual([kind, fetchMs], ['failure', 5_000])
  })
})

describe('a stalled body', () => {
  it('is aborted after ten seconds with less than ten kilobytes', async (t) => {
    for (const bytes of [1, 9000]) {
      const site = await serveRaw(t, (socket) => {
        socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n${'x'.repeat(bytes)}`)
      })
      const result = await fetchFromStalledServer(t, new ManualClock(), `${site.origin}/`)
      assert.equal(result.kind === 'failure' && result.problem, 'too_slow')
      assert.ok(result.fetchMs >= 10_000 && result.fetchMs < 15_000, `${result.fetchMs} ms`)
    }
  })
})

describe('a slow body', () => {
  it('gets one second per received kilobyte', async (t) => {
    const clock = new ManualClock()
    const client = openClient(t, {}, clock)
    const drip = Promise.withResolvers<Socket>()
    const site = await serveRaw(t, (socket) => {
      socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n${'x'.repeat(40_000)}`)
      drip.resolve(socket)
    })
    const other = await serveHttp(t, (_request, response) => response.end())
    const results: FetchResult[] = []
    client.fetch(`${site.origin}/`, (result) => results.push(result))
    const socket = await drip.promise
    while (results.length === 0) {
      socket.write('x')
      await getResponse(client, `${other.origin}/`)
      clock.advance(250)
    }
    const [result] = results
    assert.equal(result?.kind === 'failure' && result.problem, 'too_slow')
    assert.ok(result !== undefined && result.fetchMs >= 40_000 && result.fetchMs < 45_000, `${result?.fetchMs} ms`)
  })
})

describe('interim responses', () => {
  const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'
  const PAGE = `${HEAD}Content-Length: 4\r\n\r\npage`

  it('are skipped, up to sixteen', async (t) => {
    const site = await serveRaw(t, (socket) => socket.end(HINT.repeat(16) + PAGE))
    const response = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual([response.body.toString(), response.linkHeader], ['page', null])
  })

  it('beyond that violate HTTP', async (t) => {
    const site = await serveRaw(t, (socket) => socket.end(HINT.repeat(17) + PAGE))
    const { problem, detail } = await getFailure(openClient(t), `${site.origin}/`)
    assert.deepEqual([problem, detail], ['http_invalid', 'INTERIM_FLOOD'])
  })
})

describe('a body in chunks of one byte', () => {
  it('is complete, and takes little more memory than its size', async (t) => {
    const count = 400_000
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(count))
    const site = await serveRaw(t, (socket) => {
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
      socket.write(chunks)
      socket.end('0\r\n\r\n')
    })
    const before = process.resourceUsage().maxRSS
    const response = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual(response.body, Buffer.alloc(count, 'x'))
    const grownKib = process.resourceUsage().maxRSS - before
    t.diagnostic(`grew by ${grownKib} KiB`)
    assert.ok(grownKib < 60 * 1024, `grew by ${grownKib} KiB`)
  })
})
