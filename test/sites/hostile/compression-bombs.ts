// Bodies that decompress to far more than their size, and invalid encodings.

import { randomBytes } from 'node:crypto'
import * as zlib from 'node:zlib'
import { type HostilePaths, type HostileResponder, RESPONSE_HEAD, respondEndlessly } from './hostile-responses.ts'

const MIB = 1024 * 1024
const QUICK = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }
const brotli = (data: Buffer) => zlib.brotliCompressSync(data, QUICK)
const text = Buffer.from('<p>A page like any other.</p>'.repeat(500))

function respondEncoded(coding: string, make: () => Buffer): HostileResponder {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': coding })
    response.end(make())
  }
}

/** Compresses to a thousandth. */
const zeros = () => Buffer.alloc(50 * MIB)
/** Compresses to a fiftieth: too large, but no bomb. */
const sparse = () => Buffer.concat([randomBytes(MIB / 2), Buffer.alloc(24 * MIB)])

export const COMPRESSION_BOMBS: HostilePaths = {
  '/bomb/gzip': ['failed compression_bomb', respondEncoded('gzip', () => zlib.gzipSync(zeros()))],
  '/bomb/deflate': ['failed compression_bomb', respondEncoded('deflate', () => zlib.deflateRawSync(zeros()))],
  '/bomb/brotli': ['failed compression_bomb', respondEncoded('br', () => brotli(zeros()))],
  '/bomb/zstd': ['failed compression_bomb', respondEncoded('zstd', () => zlib.zstdCompressSync(zeros()))],
  '/bomb/gzip-twice': [
    'failed compression_bomb',
    respondEncoded('gzip, gzip', () => zlib.gzipSync(zlib.gzipSync(zeros()))),
  ],
  '/large/gzip': ['failed body_too_large', respondEncoded('gzip', () => zlib.gzipSync(sparse(), { level: 1 }))],
  '/large/brotli': ['failed body_too_large', respondEncoded('br', () => brotli(sparse()))],
  '/large/zstd': ['failed body_too_large', respondEncoded('zstd', () => zlib.zstdCompressSync(sparse()))],
  '/large/coded-endless': [
    'failed body_too_large',
    respondEndlessly(`${RESPONSE_HEAD}Content-Encoding: gzip\r\n\r\n`, () => randomBytes(32 * 1024)),
  ],
  '/coding/gzip-cut': ['failed encoding_invalid', respondEncoded('gzip', () => zlib.gzipSync(text).subarray(0, -9))],
  '/coding/brotli-cut': ['failed encoding_invalid', respondEncoded('br', () => brotli(text).subarray(0, -3))],
  '/coding/zstd-cut': [
    'failed encoding_invalid',
    respondEncoded('zstd', () => zlib.zstdCompressSync(text).subarray(0, -5)),
  ],
  '/coding/none-at-all': ['failed encoding_invalid', respondEncoded('gzip', () => text)],
  '/coding/unknown': ['failed encoding_unsupported', respondEncoded('rot13', () => text)],
  '/coding/six': [
    'failed encoding_unsupported',
    respondEncoded('gzip, gzip, gzip, gzip, gzip, gzip', () =>
      [1, 2, 3, 4, 5, 6].reduce((data) => zlib.gzipSync(data), text),
    ),
  ],
}
