import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import type { FetchProblem } from './fetch-result.ts'
import { closedPort, getFailure, openClient, serveRaw } from './testing/test-client.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'

type Answer = (socket: Socket) => void

const closing =
  (text: string): Answer =>
  (socket) =>
    socket.end(text)

const resetting =
  (text: string): Answer =>
  (socket) =>
    socket.write(text, () => socket.resetAndDestroy())

const CASES: Partial<Record<FetchProblem, Record<string, Answer>>> = {
  connection_lost: {
    'a connection closed without a response': closing(''),
    'a connection reset without a response': (socket) => socket.resetAndDestroy(),
    'a truncated status line': closing('HTTP/1.1 20'),
    'truncated headers': closing(`${HEAD}Content-Type: text/html\r\n`),
    'a truncated body with a length': closing(`${HEAD}Content-Length: 50\r\n\r\nhello`),
    'a truncated body with a length and Connection: close': closing(
      `${HEAD}Connection: close\r\nContent-Length: 50\r\n\r\nhello`,
    ),
    'a body with a length, reset midway': resetting(`${HEAD}Content-Length: 50\r\n\r\nhello`),
    'a chunked body without its last chunk': closing(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`),
    'a chunked body without its last chunk and with Connection: close': closing(
      `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    ),
    'a chunked body without the last line of its last chunk': closing(
      `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n`,
    ),
    'a truncated chunk': closing(`${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello`),
    'a chunked body reset midway': resetting(
      `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
    ),
    'a body without a length, reset midway': resetting(`${HEAD}Content-Type: text/html\r\n\r\nhello`),
    'a body of HTTP/1.0, reset midway': resetting('HTTP/1.0 200 OK\r\n\r\nhello'),
  },
  http_invalid: {
    'text instead of HTTP': closing('220 mail.example.com ESMTP ready\r\n'),
    'bytes instead of HTTP': (socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46])),
    'an unknown version': closing('HTTP/7.3 200 OK\r\n\r\n'),
    'a status of two digits': closing('HTTP/1.1 99 Low\r\nContent-Length: 0\r\n\r\n'),
    'a status below 100': closing('HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n'),
    'a status of four digits': closing('HTTP/1.1 1000 High\r\nContent-Length: 0\r\n\r\n'),
    'a header name with a space': closing(`${HEAD}Content Length: 5\r\n\r\nhello`),
    'an unsolicited upgrade': closing('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    'two different lengths': closing(`${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`),
    'a negative length': closing(`${HEAD}Content-Length: -5\r\n\r\nhello`),
    'a chunk size that is not a number': closing(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n`),
  },
  encoding_unsupported: {
    'a compressed transfer coding': closing(`${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`),
    'an unknown transfer coding': closing(`${HEAD}Transfer-Encoding: foo\r\n\r\nhello`),
  },
  headers_too_large: {
    'a flood of headers': (socket) => flood(socket, HEAD, (i) => `X-${i}: ${'v'.repeat(100)}\r\n`),
    'an endless header': (socket) => flood(socket, `${HEAD}X: `, () => 'v'.repeat(1000)),
    'an endless header name': (socket) => flood(socket, HEAD, () => 'v'.repeat(1000)),
  },
}

function flood(socket: Socket, start: string, part: (i: number) => string): void {
  socket.write(start)
  for (let i = 0; i < 2000; i++) socket.write(part(i))
}

for (const [problem, cases] of Object.entries(CASES)) {
  describe(`${problem} is the result of`, () => {
    for (const [name, response] of Object.entries(cases)) {
      it(name, async (t) => {
        const site = await serveRaw(t, response)
        assert.equal((await getFailure(openClient(t), `${site.origin}/`)).problem, problem)
      })
    }
  })
}

describe('an unreachable host', () => {
  it('refuses the connection', async (t) => {
    const failure = await getFailure(openClient(t), `http://127.0.0.1:${await closedPort()}/`)
    assert.deepEqual([failure.problem, failure.detail, failure.ip], ['connect_refused', 'ECONNREFUSED', null])
  })

  it('refuses it on every address of a name', async (t) => {
    const failure = await getFailure(openClient(t), `http://localhost:${await closedPort()}/`)
    assert.equal(failure.problem, 'connect_refused')
  })

  it('has a name that does not resolve', async (t) => {
    for (const allowPrivate of [true, false]) {
      const failure = await getFailure(openClient(t, { allowPrivate }), 'http://no-such-host.invalid/')
      assert.equal(failure.problem, 'dns_failed')
    }
  })
})
