import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ResponseReader } from './response-reader.ts'

const MAX_HEAD_BYTES = 1000
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** The body and its end, or the error code. */
function read(...parts: string[]): { body: string; end: number | string | null } {
  const seen: { body: string; end: number | string | null } = { body: '', end: null }
  const reader = new ResponseReader(MAX_HEAD_BYTES, {
    onHead: () => undefined,
    onBody: (buffer, start, end) => (seen.body += buffer.toString('latin1', start, end)),
    onEnd: (keepAliveMs) => (seen.end = keepAliveMs),
    onError: (code) => (seen.end = code),
  })
  reader.begin()
  for (const part of parts) reader.read(Buffer.from(part, 'latin1'), part.length)
  return seen
}

describe('data outside head and body', () => {
  const long = 'x'.repeat(MAX_HEAD_BYTES)

  it('may be no longer than a head: one line, or all of them', () => {
    for (const parts of [
      [`HTTP/1.1 200 OK\r\nA: ${long}\r\n\r\n`],
      ['HTTP/1.1 200 OK\r\nA: ', long],
      [`${CHUNKED}1;${long}`],
      [`${CHUNKED}${`1;${'x'.repeat(100)}\r\ny\r\n`.repeat(20)}`],
      [`${CHUNKED}0\r\nA: ${long}`],
      [`${CHUNKED}0\r\n${'A: b\r\n'.repeat(200)}`],
      ['\r\n'.repeat(400), '\r\n'.repeat(400)],
    ]) {
      assert.equal(read(...parts).end, 'HEADERS_TOO_LARGE', parts[0]?.slice(0, 80))
    }
  })

  it('is skipped if it is short', () => {
    const text = `\r\n${CHUNKED}${'0001 ;a=b\r\ny\r\n'.repeat(300)}0\r\nA: b\r\n\r\n`
    assert.deepEqual(read(text), { body: 'y'.repeat(300), end: 4000 })
  })
})

describe('the connection of a response', () => {
  it('is reused if the response ends with the bytes, and not if more follows', () => {
    const page = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'
    assert.deepEqual(read(page), { body: 'page', end: 4000 })
    assert.deepEqual(read(`${page}H`), { body: 'page', end: 0 })
    assert.deepEqual(read(`${CHUNKED}4\r\npage\r\n0\r\n\r\n`), { body: 'page', end: 4000 })
    assert.deepEqual(read(`${CHUNKED}4\r\npage\r\n0\r\n\r\n\r\n`), { body: 'page', end: 0 })
    assert.deepEqual(read('HTTP/1.1 204 None\r\n\r\nx'), { body: '', end: 0 })
  })
})
