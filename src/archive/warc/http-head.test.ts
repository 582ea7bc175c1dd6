import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isCompressed, parseHttpHead, toArchivedHead, toReceivedHead } from './http-head.ts'

const OK = 'HTTP/1.1 200 OK'

describe('the archived head', () => {
  it('is the received one if its length is correct or missing', () => {
    for (const head of [OK, `${OK}\r\nServer: x`, `${OK}\r\ncontent-LENGTH: 5\r\nServer: x`]) {
      assert.equal(toArchivedHead(head, 5), head)
    }
  })

  it('has transfer codings renamed, because they are undone', () => {
    assert.equal(
      toArchivedHead(`${OK}\r\nTransfer-Encoding: chunked\r\nServer: x`, 7),
      `${OK}\r\nX-Crawler-Transfer-Encoding: chunked\r\nServer: x\r\nContent-Length: 7`,
    )
  })

  it('has a wrong length renamed and the correct one added', () => {
    assert.equal(
      toArchivedHead(`${OK}\r\nContent-Length: 900`, 7),
      `${OK}\r\nX-Crawler-Content-Length: 900\r\nContent-Length: 7`,
    )
  })
})

describe('the received head', () => {
  const name = fc.constantFrom(
    'Server',
    'Content-Length',
    'transfer-encoding',
    'X-Crawler-Content-Length',
    'X-Crawler-A',
  )
  const header = fc.tuple(name, fc.constantFrom(': ', ':', ' :\t'), fc.constantFrom('5', 'chunked', 'caf\xe9', ''))
  const head = fc.array(header, { maxLength: 5 }).map((headers) => [OK, ...headers.map((h) => h.join(''))].join('\r\n'))

  it('is restored from the archived one, byte by byte', () => {
    fc.assert(
      fc.property(head, fc.constantFrom(0, 5, 70_000), (received, length) => {
        assert.equal(toReceivedHead(toArchivedHead(received, length)), received)
      }),
    )
  })

  it('is archived with at most one length, the correct one, and no transfer coding', () => {
    fc.assert(
      fc.property(head, (received) => {
        for (const [name, value] of parseHttpHead(toArchivedHead(received, 5))?.headers ?? []) {
          assert.notEqual(name.trim().toLowerCase(), 'transfer-encoding')
          if (name.trim().toLowerCase() === 'content-length') assert.equal(value, '5')
        }
      }),
    )
  })
})

describe('a parsed head', () => {
  it('has status, names and values in order, with duplicates', () => {
    assert.deepEqual(parseHttpHead('HTTP/1.1 404 Not\r\nA: 1\r\nB:  two \r\nA:\r\nodd'), {
      status: 404,
      headers: [
        ['A', '1'],
        ['B', 'two'],
        ['A', ''],
        ['odd', ''],
      ],
    })
  })

  it('needs neither a reason phrase nor headers', () => {
    assert.deepEqual(parseHttpHead('HTTP/2 204'), { status: 204, headers: [] })
  })

  it('is rejected if it is not HTTP', () => {
    for (const head of ['', 'SSH-2.0', 'HTTP/1.1 20', 'HTTP/1.1 2000', '<html>'])
      assert.equal(parseHttpHead(head), null)
  })
})

describe('compressed content', () => {
  it('is recognised by its coding or its type', () => {
    for (const header of ['Content-Encoding: br', 'content-type: image/png', 'Content-Type:application/pdf']) {
      assert.equal(isCompressed(`${OK}\r\n${header}`), true, header)
    }
    for (const header of ['Content-Encoding: identity', 'Content-Type: image/svg+xml', 'X-Content-Type: image/png']) {
      assert.equal(isCompressed(`${OK}\r\n${header}`), false, header)
    }
  })
})
