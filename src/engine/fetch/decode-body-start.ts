// Decodes the start of a body, for bodies that are truncated rather than rejected when they are too long.

import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { type DecodeDone, hasZlibHeader, parseCodings, ZSTD_PARAMS } from './decode-body.ts'
import { CodedError } from './fetch-result.ts'

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants

/** With these flush modes truncated input is not an error. */
function decoderFor(coding: string, body: Buffer): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ finishFlush: Z_SYNC_FLUSH })
    case 'deflate':
      return hasZlibHeader(body)
        ? zlib.createInflate({ finishFlush: Z_SYNC_FLUSH })
        : zlib.createInflateRaw({ finishFlush: Z_SYNC_FLUSH })
    case 'br':
      return zlib.createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return zlib.createZstdDecompress({ finishFlush: ZSTD_e_flush, params: ZSTD_PARAMS })
    default:
      return null
  }
}

/** Returns at most `maxBytes` of a body with one coding; with two it stays too large. */
export function decodeBodyStart(body: Buffer, contentEncoding: string, maxBytes: number, done: DecodeDone): void {
  const [coding = '', ...more] = parseCodings(contentEncoding)
  if (more.length > 0) return done(new CodedError('BODY_TOO_LARGE'), body)
  const decoder = decoderFor(coding, body)
  if (decoder === null) return done(new CodedError('ENCODING_UNSUPPORTED'), body)
  const parts: Buffer[] = []
  let bytes = 0
  let isBroken = false
  decoder.on('data', (part: Buffer) => {
    parts.push(part)
    bytes += part.length
    if (bytes >= maxBytes) decoder.destroy()
  })
  decoder.on('error', () => {
    isBroken = true
  })
  decoder.on('close', () => {
    if (isBroken) done(new CodedError('ENCODING_INVALID'), body)
    else done(null, Buffer.concat(parts, Math.min(bytes, maxBytes)))
  })
  decoder.end(body)
}
