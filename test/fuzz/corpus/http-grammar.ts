// A grammar of responses that are well-formed but inconsistent: wrong lengths, encodings that do not match the body,
// headers that are repeated or split.

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'

const STATUSES = [
  '200 OK',
  '200 OK',
  '200 OK',
  '200',
  '206 Part',
  '204 None',
  '304 Same',
  '301 Moved',
  '429 Slow',
  '599 ?',
]
const INTERIM = ['', '', '', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n'.repeat(3)]
const CODINGS = ['', '', 'gzip', 'GZIP', 'x-gzip', 'br', 'zstd', 'deflate', 'identity', 'gzip, br', 'a,b,c', 'unknown']
const HEADERS = [
  'Content-Type: text/html; charset=utf-8',
  'Connection: close',
  'Connection: keep-alive',
  'Keep-Alive: timeout=1, max=2',
  'Location: /a',
  'Location: http://[::1',
  'Retry-After: 5',
  'Retry-After: Sun, 15 Nov 2026 00:02:00 GMT',
  'X-Robots-Tag: noindex',
  'X-Robots-Tag: orbweaver: nofollow',
  'Link: <a>; rel=canonical',
  'ETag: W/"x"',
  'Set-Cookie: a=b',
  'Upgrade: h2c',
  'Trailer: X-End',
  'Date:',
]
const PAGE = '<title>T</title><a href=/next>next</a>'
const MAX_HEADERS = 6
const MAX_PAGES = 300

export function writeHttpResponse(seededRandom: SeededRandom): Buffer {
  const coding = seededRandom.pick(CODINGS)
  const body = writeBody(seededRandom, coding)
  const headers = Array.from({ length: seededRandom.below(MAX_HEADERS) }, () => seededRandom.pick(HEADERS))
  if (coding !== '') headers.push(`Content-Encoding: ${coding}`)
  const isChunked = seededRandom.chance(0.4)
  if (isChunked) headers.push('Transfer-Encoding: chunked')
  if (seededRandom.chance(isChunked ? 0.1 : 0.8))
    headers.push(`Content-Length: ${maybeWrongLength(body.length, seededRandom)}`)
  headers.sort(() => seededRandom.next() - 0.5)
  const version = seededRandom.chance(0.9) ? '1.1' : '1.0'
  const lines = [`HTTP/${version} ${seededRandom.pick(STATUSES)}`, ...headers]
  const head = `${seededRandom.pick(INTERIM)}${lines.join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), isChunked ? encodeChunked(body, seededRandom) : body])
}

function writeBody(seededRandom: SeededRandom, coding: string): Buffer {
  const page = Buffer.from(PAGE.repeat(seededRandom.chance(0.8) ? 1 : seededRandom.below(MAX_PAGES)))
  const wanted = seededRandom.chance(0.9) ? coding.toLowerCase() : seededRandom.pick(CODINGS)
  switch (wanted) {
    case 'gzip':
    case 'x-gzip':
      return gzipSync(page)
    case 'br':
      return brotliCompressSync(page)
    case 'zstd':
      return zstdCompressSync(page)
    case 'deflate':
      return seededRandom.chance(0.5) ? deflateSync(page) : deflateRawSync(page)
    case 'gzip, br':
      return brotliCompressSync(gzipSync(page))
    default:
      return page
  }
}

function encodeChunked(body: Buffer, seededRandom: SeededRandom): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = Math.min(body.length, at + 1 + seededRandom.below(body.length))
    const size = maybeWrongLength(end - at, seededRandom).toString(16)
    const extension = seededRandom.chance(0.1) ? ';x="y"' : ''
    parts.push(Buffer.from(`${size}${extension}\r\n`), body.subarray(at, end), Buffer.from('\r\n'))
    at = end
  }
  const trailer = seededRandom.chance(0.1) ? 'X-End: 1\r\n' : ''
  return Buffer.concat([...parts, Buffer.from(seededRandom.chance(0.9) ? `0\r\n${trailer}\r\n` : '')])
}

/** Usually the true length. */
function maybeWrongLength(length: number, seededRandom: SeededRandom): number {
  if (seededRandom.chance(0.9)) return length
  return seededRandom.pick([
    0,
    1,
    Math.max(0, length - 1),
    length + 1,
    length * 2,
    2 ** 31,
    2 ** 32,
    Number.MAX_SAFE_INTEGER,
  ])
}
