import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ManualClock } from '../../lib/manual-clock.ts'
import type { HttpClient } from './client.ts'
import { getFailure, getResponse, openClient, serveHttp, serveRaw } from './fixture.ts'
import { type FetchLimits, pageLimits, ROBOTS_LIMITS } from './limits.ts'
import type { FetchResult } from './result.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'

function getWithin(client: HttpClient, url: string, limits: FetchLimits): Promise<FetchResult> {
  return new Promise((resolve) => client.fetch(url, resolve, limits))
}

describe('a request with limits of its own', () => {
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

  it('may be cut in a compressed body as well, on the wire and when decoded', async (t) => {
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

  // Waits for the coarse timers of undici, a second or less.
  it('may wait less long for the headers', async (t) => {
    const site = await serveRaw(t, () => undefined)
    const result = await getWithin(openClient(t), `${site.origin}/`, pageLimits(1000, 10))
    assert.equal(result.kind === 'failure' && result.problem, 'headers_timeout')
  })
})

describe('a body that stands still', () => {
  /** What comes of so many bytes and no more, while other answers come and time goes by. */
  async function waitFor(t: TestContext, bytes: number): Promise<FetchResult> {
    const clock = new ManualClock()
    const client = openClient(t, { timeoutMs: 60_000 }, clock)
    const stuck = await serveRaw(t, (socket) => {
      socket.write(`${HEAD}Content-Length: 1000000\r\n\r\n${'x'.repeat(bytes)}`)
    })
    const other = await serveHttp(t, (_request, response) => response.end())
    const results: FetchResult[] = []
    client.fetch(`${stuck.origin}/`, (result) => results.push(result))
    for (;;) {
      const [result] = results
      if (result !== undefined) return result
      await getResponse(client, `${other.origin}/`)
      clock.advance(250)
    }
  }

  it('is given up after ten seconds if less than ten kilobytes have come', async (t) => {
    for (const bytes of [1, 9000]) {
      const result = await waitFor(t, bytes)
      assert.equal(result.kind === 'failure' && result.problem, 'too_slow')
      assert.ok(result.fetchMs >= 10_000 && result.fetchMs < 15_000, `${result.fetchMs} ms`)
    }
  })

  it('is given a second for each kilobyte that has come', async (t) => {
    const result = await waitFor(t, 40_000)
    assert.equal(result.kind === 'failure' && result.problem, 'too_slow')
    assert.ok(result.fetchMs >= 40_000 && result.fetchMs < 45_000, `${result.fetchMs} ms`)
  })
})

describe('interim answers', () => {
  const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'
  const PAGE = `${HEAD}Content-Length: 4\r\n\r\npage`

  it('are passed over, up to sixteen', async (t) => {
    const site = await serveRaw(t, (socket) => socket.end(HINT.repeat(16) + PAGE))
    const answer = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual([answer.body.toString(), answer.linkHeader], ['page', null])
  })

  it('beyond that are a breach of HTTP', async (t) => {
    const site = await serveRaw(t, (socket) => socket.end(HINT.repeat(17) + PAGE))
    const { problem, detail } = await getFailure(openClient(t), `${site.origin}/`)
    assert.deepEqual([problem, detail], ['http_invalid', 'INTERIM_FLOOD'])
  })
})

describe('a body in chunks of one byte', () => {
  it('comes whole, and takes little more memory than its size', async (t) => {
    const count = 400_000
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(count))
    const site = await serveRaw(t, (socket) => {
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
      socket.write(chunks)
      socket.end('0\r\n\r\n')
    })
    const before = process.resourceUsage().maxRSS
    const answer = await getResponse(openClient(t), `${site.origin}/`)
    assert.deepEqual(answer.body, Buffer.alloc(count, 'x'))
    const grownKib = process.resourceUsage().maxRSS - before
    t.diagnostic(`grew by ${grownKib} KiB`)
    assert.ok(grownKib < 60 * 1024, `grew by ${grownKib} KiB`)
  })
})
