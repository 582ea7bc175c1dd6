// Undoes content codings. Small bodies are decoded at once, which costs less than a trip to the thread pool; large
// ones go there, so that no page holds up the loop. A coding that ends early or is broken is an error, never a
// shorter page.

import * as zlib from 'node:zlib'
import { CodedError } from './result.ts'

interface Limit {
  maxOutputLength: number
}

interface Decoder {
  sync: (data: Buffer, limit: Limit) => Buffer
  async: (data: Buffer, limit: Limit, done: (error: Error | null, out: Buffer) => void) => void
}

const gzip: Decoder = { sync: zlib.gunzipSync, async: zlib.gunzip }
const inflate: Decoder = { sync: zlib.inflateSync, async: zlib.inflate }
const inflateRaw: Decoder = { sync: zlib.inflateRawSync, async: zlib.inflateRaw }
const brotli: Decoder = { sync: zlib.brotliDecompressSync, async: zlib.brotliDecompress }
// Node stops after the first frame of zstd; what follows it would be missing from the page.
const zstd: Decoder = {
  sync(data, limit) {
    const { buffer, engine } = withInfo(zlib.zstdDecompressSync(data, { ...limit, info: true }))
    if (engine.bytesWritten < data.length) throw new CodedError('ENCODING_INVALID')
    return buffer
  },
  async(data, limit, done) {
    zlib.zstdDecompress(data, { ...limit, info: true }, (error, out) => {
      if (error !== null) return done(error, data)
      const { buffer, engine } = withInfo(out)
      done(engine.bytesWritten < data.length ? new CodedError('ENCODING_INVALID') : null, buffer)
    })
  },
}

/** Its types do not know what zlib returns with `info`. */
function withInfo(out: unknown): { buffer: Buffer; engine: { bytesWritten: number } } {
  return out as { buffer: Buffer; engine: { bytesWritten: number } }
}

function decoderFor(coding: string, body: Buffer): Decoder | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gzip
    case 'deflate':
      return hasZlibHeader(body) ? inflate : inflateRaw
    case 'br':
      return brotli
    case 'zstd':
      return zstd
    default:
      return null
  }
}

export const ACCEPT_ENCODING = 'gzip, br, zstd, deflate'

const MAX_CODINGS = 2
const SYNC_BYTES = 64 * 1024

export function decodeBody(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number,
  done: (error: Error | null, decoded: Buffer) => void,
): void {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0 || body.length === 0) return done(null, body)
  if (codings.length > MAX_CODINGS) return done(new CodedError('ENCODING_UNSUPPORTED'), body)
  const decoder = decoderFor(codings.at(-1) ?? '', body)
  if (decoder === null) return done(new CodedError('ENCODING_UNSUPPORTED'), body)
  const rest = codings.slice(0, -1).join(',')
  const next = (decoded: Buffer) => (rest === '' ? done(null, decoded) : decodeBody(decoded, rest, maxBytes, done))
  const limit = { maxOutputLength: maxBytes }
  if (body.length > SYNC_BYTES) {
    decoder.async(body, limit, (error, decoded) => (error ? done(codingError(error), body) : next(decoded)))
    return
  }
  let decoded: Buffer
  try {
    decoded = decoder.sync(body, limit)
  } catch (error) {
    return done(codingError(error), body)
  }
  next(decoded)
}

/** Servers mean two things by "deflate": with and without the zlib header. */
function hasZlibHeader(data: Buffer): boolean {
  return data.length >= 2 && ((data[0] ?? 0) & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0
}

function codingError(error: unknown): Error {
  const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
  return new CodedError(tooLarge ? 'BODY_TOO_LARGE' : 'ENCODING_INVALID')
}
