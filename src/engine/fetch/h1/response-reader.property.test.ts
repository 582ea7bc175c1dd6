// Responses of all forms, valid and corrupted, split anywhere: the split makes no difference, and whatever Node's own
// parser accepts is read alike.

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { Duplex } from 'node:stream'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ResponseReader } from './response-reader.ts'

interface Seen {
  statuses: number[]
  rawHeaders: readonly string[]
  body: string
  end: 'whole' | 'cut' | 'broken' | 'coded'
}

const ENDS: Record<string, Seen['end']> = { CONNECTION_CLOSED: 'cut', ENCODING_UNSUPPORTED: 'coded' }

/** Chunks of any sizes, and then the end of the connection. */
function readParts(bytes: Buffer, sizes: number[]): Seen {
  const seen: Seen = { statuses: [], rawHeaders: [], body: '', end: 'cut' }
  let isOver = false
  const over = (end: Seen['end']) => {
    assert.equal(isOver, false, 'ended twice')
    isOver = true
    seen.end = end
  }
  const reader = new ResponseReader(32_768, {
    onHead(head) {
      assert.equal(isOver, false)
      seen.statuses.push(head.status)
      seen.rawHeaders = head.headers
    },
    onBody(buffer, start, end) {
      assert.equal(isOver, false)
      seen.body += buffer.toString('latin1', start, end)
    },
    onEnd: () => over('whole'),
    onError: (code) => over(ENDS[code] ?? 'broken'),
  })
  reader.begin()
  // All chunks share one buffer, as with sockets.
  const shared = Buffer.alloc(bytes.length)
  for (let at = 0, i = 0; at < bytes.length && !isOver; i++) {
    const end = Math.min(bytes.length, at + (sizes[i % sizes.length] ?? bytes.length))
    bytes.copy(shared, 0, at, end)
    reader.read(shared, end - at)
    at = end
  }
  reader.close()
  return seen
}

/** Reads the response with Node's client; null if it rejects the response. */
function readByNode(bytes: Buffer): Promise<Seen | null> {
  return new Promise((resolve) => {
    const statuses: number[] = []
    const socket = new Duplex({
      read: () => undefined,
      write(_chunk, _encoding, done) {
        done()
        this.push(bytes)
        this.push(null)
      },
    })
    const clientRequest = request({ createConnection: () => socket, host: 'a.test' }, (response) => {
      const { statusCode = 0, rawHeaders } = response
      let body = ''
      response.setEncoding('latin1').on('data', (text: string) => (body += text))
      response.on('error', () => resolve(null))
      response.on('end', () => resolve({ statuses: [...statuses, statusCode], rawHeaders, body, end: 'whole' }))
    })
    clientRequest.on('information', ({ statusCode }) => statuses.push(statusCode))
    clientRequest.on('upgrade', () => resolve(null))
    clientRequest.on('error', () => resolve(null))
    clientRequest.end()
  })
}

const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ,;=\t/\xe9\xa0'), maxLength: 12 })
const token = fc.string({ unit: fc.constantFrom(...'abcXYZ-_019'), minLength: 1, maxLength: 8 })
const header = fc.oneof(
  fc.tuple(token, text).map(([name, value]) => `X-${name}: ${value}`),
  fc.constantFrom('Connection: close', 'Connection: keep-alive', 'Keep-Alive: timeout=5', 'Content-Encoding: gzip'),
)
const phrase = text.filter((reason) => !reason.includes('\t'))
const status = fc
  .tuple(fc.constantFrom(200, 206, 301, 404, 500, 503), phrase)
  .map(([code, reason]) => `${code} ${reason}`)
const interim = fc.constantFrom('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n')

function chunked(parts: string[], extension: string, trailer: string): string {
  const chunks = parts
    .filter((part) => part !== '')
    .map((part) => `${part.length.toString(16)}${extension}\r\n${part}\r\n`)
  return `${chunks.join('')}0\r\n${trailer}\r\n`
}

const framed = fc.oneof(
  text.map((body) => ({ lines: [`Content-Length: ${body.length}`], body })),
  text.map((body) => ({ lines: [`Content-Length: ${'0'.repeat(20)}${body.length}`], body })),
  text.map((body) => ({ lines: [] as string[], body })),
  fc
    .tuple(
      fc.array(text, { maxLength: 4 }),
      fc.constantFrom('', ';a=b', '; x', `;${'y'.repeat(5000)}`),
      fc.constantFrom('', 'T: u\r\n', `T: ${'u'.repeat(5000)}\r\n`),
    )
    .map(([parts, extension, trailer]) => ({
      lines: ['Transfer-Encoding: chunked'],
      body: chunked(parts, extension, trailer),
    })),
)

const whole = fc
  .record({
    lead: fc.constantFrom('', '', '\r\n', '\n\r\n'),
    interims: fc.array(interim, { maxLength: 2 }),
    version: fc.constantFrom('1.1', '1.1', '1.0', '2.0', '0.9'),
    status,
    headers: fc.array(header, { maxLength: 4 }),
    framed,
  })
  .map(({ lead, interims, version, status, headers, framed: { lines, body } }) => {
    const head = `HTTP/${version} ${status}\r\n${[...headers, ...lines].join('\r\n')}`
    return Buffer.from(`${lead}${interims.join('')}${head}\r\n\r\n${body}`, 'latin1')
  })

/** Responses with some bytes lost, doubled or changed. */
const corrupted = fc
  .tuple(
    whole,
    fc.array(fc.record({ at: fc.nat(), take: fc.nat(2), put: fc.string({ maxLength: 2 }) }), { maxLength: 3 }),
  )
  .map(([bytes, spoils]) => {
    let text = bytes.toString('latin1')
    for (const { at, take, put } of spoils) {
      const i = at % (text.length + 1)
      text = text.slice(0, i) + put + text.slice(i + take)
    }
    return Buffer.from(text, 'latin1')
  })

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })

describe('a response', () => {
  it('is the same however it is split', () => {
    fc.assert(
      fc.property(fc.oneof(whole, corrupted), sizes, (bytes, parts) => {
        assert.deepEqual(readParts(bytes, parts), readParts(bytes, [bytes.length]))
      }),
      { numRuns: 3000 },
    )
  })

  it('that Node accepts is accepted, with the same result', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(whole, corrupted), sizes, async (bytes, parts) => {
        const expected = await readByNode(bytes)
        // After a 101 that was not requested, Node stops reading; we take it for an interim response. Node accepts a
        // status below 100, which we reject.
        if (expected === null || expected.statuses.some((status) => status === 101 || status < 100)) return
        accepted += 1
        const seen = readParts(bytes, parts)
        // Node passes on bodies that it cannot decode.
        if (seen.end !== 'coded') assert.deepEqual(seen, expected)
      }),
      { numRuns: 1500 },
    )
    assert.ok(accepted > 500, `Node accepted only ${accepted}`)
  })
})
