import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import * as zlib from 'node:zlib'
import type { FetchProblem } from './fetch-result.ts'
import { getFailure, getResponse, openClient, type Site, serveHttp, serveRaw } from './testing/test-client.ts'

const QUICK_BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }
const PAGE = Buffer.from(`<p>${'Grüße, 世界. '.repeat(500)}</p>`)

function serveCoded(t: TestContext, coding: string | string[], body: Buffer): Promise<Site> {
  return serveHttp(t, (_request, response) => {
    response.writeHead(200, { 'Content-Encoding': coding, 'Content-Type': 'text/html' })
    for (let at = 0; at < body.length; at += 1000) response.write(body.subarray(at, at + 1000))
    response.end()
  })
}

const CODINGS: Record<string, [string | string[], Buffer]> = {
  gzip: ['gzip', zlib.gzipSync(PAGE)],
  br: ['br', zlib.brotliCompressSync(PAGE)],
  zstd: ['zstd', zlib.zstdCompressSync(PAGE)],
  'deflate with its header': ['deflate', zlib.deflateSync(PAGE)],
  'deflate without its header': ['deflate', zlib.deflateRawSync(PAGE)],
  identity: ['identity', PAGE],
  'two codings': ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(PAGE))],
  'two codings on a line each': [['br', 'gzip'], zlib.gzipSync(zlib.brotliCompressSync(PAGE))],
}

describe('an encoded body', () => {
  for (const [name, [coding, body]] of Object.entries(CODINGS)) {
    it(`is decoded: ${name}`, async (t) => {
      const site = await serveCoded(t, coding, body)
      const response = await getResponse(openClient(t), `${site.origin}/`)
      assert.deepEqual(response.body, PAGE)
      assert.deepEqual([response.wireBytes, response.truncated], [body.length, false])
    })
  }

  it('in an unknown coding is a failure', async (t) => {
    const site = await serveCoded(t, 'compress', PAGE)
    assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, 'encoding_unsupported')
  })

  it('that is broken or truncated is a failure, not a shorter page', async (t) => {
    const whole = zlib.gzipSync(PAGE)
    for (const body of [whole.subarray(0, whole.length - 5), whole.subarray(0, 20), PAGE]) {
      const site = await serveCoded(t, 'gzip', body)
      assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, 'encoding_invalid')
    }
  })

  it('is a lost connection if the connection, not the coding, was cut', async (t) => {
    const body = zlib.gzipSync(PAGE)
    const site = await serveRaw(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`)
      socket.end(body.subarray(0, 30))
    })
    assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, 'connection_lost')
  })

  it('beyond the limit on the wire is a failure, since half of it cannot be decoded', async (t) => {
    const site = await serveCoded(t, 'gzip', zlib.gzipSync(PAGE, { level: 0 }))
    const { problem } = await getFailure(openClient(t, { maxBodyBytes: 1000 }), `${site.origin}/`)
    assert.equal(problem, 'body_too_large')
  })

  it('without bytes is an empty page', async (t) => {
    const site = await serveCoded(t, 'gzip', Buffer.alloc(0))
    assert.equal((await getResponse(openClient(t), `${site.origin}/`)).body.length, 0)
  })
})

describe('a compression bomb', () => {
  const zeros = Buffer.alloc(16 * 1024 * 1024)
  const gzipped = zlib.gzipSync(zeros)
  const bombs: [problem: FetchProblem, coding: string, bomb: Buffer][] = [
    // Concatenated members: a gigabyte, without the time to compress one.
    ['body_too_large', 'gzip', Buffer.concat(Array(64).fill(gzipped))],
    ['compression_bomb', 'gzip', gzipped],
    ['compression_bomb', 'br', zlib.brotliCompressSync(zeros, QUICK_BROTLI)],
    ['compression_bomb', 'zstd', zlib.zstdCompressSync(zeros)],
    ['compression_bomb', 'gzip, gzip', zlib.gzipSync(Buffer.concat(Array(8).fill(gzipped)))],
  ]

  for (const [problem, coding, bomb] of bombs) {
    it(`of ${coding} in ${bomb.length} bytes is a ${problem}, and costs little memory`, async (t) => {
      const site = await serveCoded(t, coding, bomb)
      const client = openClient(t, { maxBodyBytes: 5_000_000 })
      const before = process.resourceUsage().maxRSS
      assert.equal((await getFailure(client, `${site.origin}/`)).problem, problem)
      const grownKib = process.resourceUsage().maxRSS - before
      assert.ok(grownKib < 100 * 1024, `grew by ${grownKib} KiB`)
    })
  }
})
