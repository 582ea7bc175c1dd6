// Whole responses as sent over the wire.

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

const PAGE = '<!doctype html><title>T</title><a href="/next">next</a>'
const LONG_PAGE = PAGE.repeat(200)

function withContentLength(headers: string[], body: string | Buffer): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.concat([
    Buffer.from(linesOf(['HTTP/1.1 200 OK', ...headers, `Content-Length: ${length}`])),
    toBytes(body),
  ])
}

function chunked(headers: string[], parts: (string | Buffer)[], trailers: string[] = []): Buffer {
  const chunks = parts.flatMap((part) => {
    return [Buffer.from(`${Buffer.byteLength(part).toString(16)}\r\n`), toBytes(part), Buffer.from('\r\n')]
  })
  const head = linesOf(['HTTP/1.1 200 OK', ...headers, 'Transfer-Encoding: chunked'])
  return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from(`0\r\n${linesOf(trailers)}`)])
}

function toBytes(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** Including the empty line that ends the head. */
function linesOf(lines: string[]): string {
  return `${lines.join('\r\n')}${lines.length === 0 ? '' : '\r\n'}\r\n`
}

export const HTTP_CORPUS: readonly Buffer[] = [
  withContentLength(
    ['Content-Type: text/html; charset=utf-8', 'ETag: "1"', 'Last-Modified: Sun, 15 Nov 2026 00:00:00 GMT'],
    PAGE,
  ),
  withContentLength(
    ['Content-Type: text/html', 'Connection: close', 'Link: </c>; rel=canonical', 'X-Robots-Tag: noindex'],
    LONG_PAGE,
  ),
  chunked(['Content-Type: text/html', 'Keep-Alive: timeout=5'], [PAGE, 'x', PAGE]),
  chunked(['Content-Type: text/html', 'Trailer: X-End'], [PAGE], ['X-End: 1']),
  withContentLength(['Content-Encoding: gzip'], gzipSync(PAGE)),
  withContentLength(['Content-Encoding: gzip'], gzipSync(LONG_PAGE)),
  withContentLength(['Content-Encoding: br'], brotliCompressSync(PAGE)),
  withContentLength(['Content-Encoding: zstd'], zstdCompressSync(LONG_PAGE)),
  withContentLength(['Content-Encoding: deflate'], deflateSync(PAGE)),
  withContentLength(['Content-Encoding: deflate, gzip'], gzipSync(deflateRawSync(PAGE))),
  chunked(
    ['Content-Encoding: br'],
    [brotliCompressSync(LONG_PAGE).subarray(0, 20), brotliCompressSync(LONG_PAGE).subarray(20)],
  ),
  Buffer.from(linesOf(['HTTP/1.1 301 Moved', 'Location: /caf\xc3\xa9', 'Content-Length: 0']), 'latin1'),
  Buffer.from(linesOf(['HTTP/1.1 503 Busy', 'Retry-After: 120', 'Content-Length: 0'])),
  Buffer.from(linesOf(['HTTP/1.1 304 Not Modified', 'ETag: "1"'])),
  Buffer.from(linesOf(['HTTP/1.1 204 No Content'])),
  Buffer.from(`${linesOf(['HTTP/1.0 200 OK', 'Content-Type: text/html'])}${PAGE}`),
  Buffer.concat([Buffer.from(linesOf(['HTTP/1.1 100 Continue'])), withContentLength([], PAGE)]),
  Buffer.concat([Buffer.from(linesOf(['HTTP/1.1 103 Early Hints', 'Link: </s.css>'])), chunked([], [PAGE])]),
  Buffer.from(linesOf(['HTTP/1.1 101 Switching', 'Connection: upgrade', 'Upgrade: websocket'])),
]

export const HTTP_TOKENS: readonly string[] = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  ': ',
  ':',
  ',',
  ';',
  ' ',
  '\t',
  '\0',
  '"',
  '0\r\n\r\n',
  '5\r\nhello\r\n',
  'é',
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/1.1 100 Continue\r\n\r\n',
  ' 099 ',
  ' 999 ',
  ' 1000 ',
  ' 200',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Content-Encoding: gzip\r\n',
  'Content-Encoding: br\r\n',
  'Content-Encoding: zstd\r\n',
  'Content-Encoding: deflate\r\n',
  'Content-Encoding: identity\r\n',
  'Content-Encoding: x, y, z\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive\r\n',
  'Connection: upgrade\r\nUpgrade: x\r\n',
  'Keep-Alive: timeout=0\r\n',
  'Keep-Alive: timeout=-1, max=0\r\n',
  'Location: http://[\r\n',
  'Retry-After: 99999999999\r\n',
  'Link: <',
  'Set-Cookie: a=b\r\n',
  'Trailer: X\r\n',
  'X: ',
  ' folded\r\n',
  'ffffffffffffffff\r\n',
  '80000000\r\n',
  '5;x=y\r\n',
  '0;\r\n',
  '-5\r\n',
  `X-Long: ${'v'.repeat(40_000)}\r\n`,
]
