import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBodyFraming, readKeepAliveMs } from './body-framing.ts'
import { type H1ResponseHead, parseResponseHead } from './response-head.ts'

function response(...lines: string[]): H1ResponseHead {
  const [first = '', ...rest] = lines
  const status = first.startsWith('HTTP/') ? first : ['HTTP/1.1 200 OK', first].join('\r\n')
  const head = parseResponseHead(`${[status, ...rest].join('\r\n')}\r\n\r\n`)
  assert.ok(head !== null)
  return head
}

describe('the end of a body', () => {
  const ends: [expected: ReturnType<typeof readBodyFraming>, ...lines: string[]][] = [
    [5, 'Content-Length: 5'],
    [5, 'Content-Length: 5', 'content-length: 5'],
    [5, 'Content-Length: 5, 5'],
    [0, 'Content-Length: 0'],
    [5, `Content-Length: ${'0'.repeat(20)}5`],
    [0, 'HTTP/1.1 204 No Content', 'Content-Length: 5'],
    [0, 'HTTP/1.1 304 Not Modified', 'Transfer-Encoding: chunked'],
    [0, 'HTTP/1.1 103 Early Hints'],
    ['closed', 'X: y'],
    ['closed', 'Transfer-Encoding: identity'],
    ['chunked', 'Transfer-Encoding: chunked'],
    ['chunked', 'Transfer-Encoding: Chunked', 'Content-Length: 5'],
    ['chunked', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    [{ code: 'ENCODING_UNSUPPORTED' }, 'Transfer-Encoding: foo', 'Content-Length: 5'],
    [{ code: 'ENCODING_UNSUPPORTED' }, 'Transfer-Encoding: foo, chunked'],
    [{ code: 'ENCODING_UNSUPPORTED' }, 'Transfer-Encoding: chunked, foo'],
    [{ code: 'ENCODING_UNSUPPORTED' }, 'Transfer-Encoding: gzip, chunked'],
    [{ code: 'ENCODING_UNSUPPORTED' }, 'Transfer-Encoding: br'],
    [{ code: 'ENCODING_UNSUPPORTED' }, 'Transfer-Encoding: chunked;a=b'],
    [{ code: 'LENGTH_INVALID' }, 'Content-Length: 5\xa0'],
    [{ code: 'LENGTH_INVALID' }, 'Content-Length: 5', 'Content-Length: 6'],
    [{ code: 'LENGTH_INVALID' }, 'Content-Length: -5'],
    [{ code: 'LENGTH_INVALID' }, 'Content-Length: 5x'],
    [{ code: 'LENGTH_INVALID' }, 'Content-Length:'],
    [{ code: 'LENGTH_INVALID' }, `Content-Length: ${'9'.repeat(16)}`],
  ]
  for (const [expected, ...lines] of ends) {
    it(`is ${JSON.stringify(expected)} after ${lines.join(' | ')}`, () => {
      assert.deepEqual(readBodyFraming(response(...lines)), expected)
    })
  }
})

describe('the keep-alive time', () => {
  const keepAlive = (end: number | 'chunked' | 'closed', ...lines: string[]) => readKeepAliveMs(response(...lines), end)

  it('is four seconds by default', () => {
    assert.equal(keepAlive(5, 'X: y'), 4000)
    assert.equal(keepAlive('chunked', 'X: y'), 4000)
    assert.equal(keepAlive(5, 'HTTP/1.0 200 OK', 'Connection: Keep-Alive'), 4000)
  })

  it('is a second less than what the server announces, at most a minute', () => {
    assert.equal(keepAlive(5, 'Keep-Alive: timeout=15, max=100'), 14_000)
    assert.equal(keepAlive(5, 'Keep-Alive: max=100, timeout=3600'), 60_000)
    assert.equal(keepAlive(5, 'Keep-Alive: timeout=1'), 0)
  })

  it('is zero if the connection cannot be reused', () => {
    assert.equal(keepAlive('closed', 'X: y'), 0)
    assert.equal(keepAlive(5, 'Connection: close'), 0)
    assert.equal(keepAlive(5, 'Connection: x, Close'), 0)
    assert.equal(keepAlive(5, 'HTTP/1.0 200 OK'), 0)
    assert.equal(keepAlive('chunked', 'Content-Length: 5'), 0)
  })
})
