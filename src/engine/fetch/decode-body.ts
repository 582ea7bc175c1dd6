// Decodes content codings. Small bodies are decoded synchronously, which costs less than the thread pool; large ones go
// to the pool, so that no page blocks the event loop. A truncated or broken coding is an error, never a shorter page.
// Output is limited by the maximum body size and by a hundred times the bytes on the wire.

import * as zlib from 'node:zlib'
import { CodedError } from './fetch-result.ts'
import { findGzipEnd } from './find-gzip-end.ts'

interface OutputLimit {
  maxOutputLength: number
  /** The error code if the output is longer. */
  breach: 'BODY_TOO_LARGE' | 'COMPRESSION_BOMB'
}

interface Decoder {
  sync: (data: Buffer, outputLimit: OutputLimit) => Buffer
  async: (data: Buffer, outputLimit: OutputLimit, done: (error: Error | null, out: Buffer) => void) => void
}

export type DecodeDone = (error: CodedError | null, decoded: Buffer) => void

/** RFC 9659: at most 8 MiB of window; the library would allow 128. */
export const ZSTD_PARAMS = { [zlib.constants.ZSTD_d_windowLogMax]: 23 }

/** Bytes of the last member modulo 2^32; RFC 1952, 2.3.1. */
const ISIZE_BYTES = 4
const MIN_CHUNK = 16 * 1024
const MAX_CHUNK = 1024 * 1024

/** A body that fits into one chunk is not copied, and leaves less to the garbage collector. */
function gzipChunkSize(data: Buffer): number {
  const size = data.length < ISIZE_BYTES ? 0 : data.readUInt32LE(data.length - ISIZE_BYTES)
  // One byte more, so that the chunk is not full at the end.
  return size < MIN_CHUNK || size >= MAX_CHUNK ? MIN_CHUNK : size + 1
}

// Bytes after the last member are ignored; `sync` fails on them.
const gzip: Decoder = {
  sync: (data, outputLimit) => zlib.gunzipSync(data, { ...outputLimit, chunkSize: gzipChunkSize(data) }),
  async(data, outputLimit, done) {
    zlib.gunzip(data, outputLimit, (error, out) => {
      if (error === null || isTooLong(error)) return done(error, out)
      findGzipEnd(data, outputLimit.maxOutputLength, (end) => {
        if (end === null || end === data.length) done(error, data)
        else zlib.gunzip(data.subarray(0, end), outputLimit, done)
      })
    })
  },
}
const inflate: Decoder = { sync: zlib.inflateSync, async: zlib.inflate }
const inflateRaw: Decoder = { sync: zlib.inflateRawSync, async: zlib.inflateRaw }
const brotli: Decoder = { sync: zlib.brotliDecompressSync, async: zlib.brotliDecompress }
// Node stops after the first zstd frame; the rest would be missing from the page.
const zstd: Decoder = {
  sync(data, outputLimit) {
    const { buffer, engine } = withInfo(
      zlib.zstdDecompressSync(data, { ...outputLimit, params: ZSTD_PARAMS, info: true }),
    )
    if (engine.bytesWritten < data.length) throw new CodedError('ENCODING_INVALID')
    return buffer
  },
  async(data, outputLimit, done) {
    zlib.zstdDecompress(data, { ...outputLimit, params: ZSTD_PARAMS, info: true }, (error, out) => {
      if (error !== null) return done(error, data)
      const { buffer, engine } = withInfo(out)
      done(engine.bytesWritten < data.length ? new CodedError('ENCODING_INVALID') : null, buffer)
    })
  },
}

/** The types lack the result of zlib with `info`. */
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
/** Text shrinks to a tenth or a thirtieth; small pages may exceed this. */
const MAX_RATIO = 100
const ANY_RATIO_BYTES = 1024 * 1024

export function decodeBody(body: Buffer, contentEncoding: string, maxBytes: number, done: DecodeDone): void {
  const codings = parseCodings(contentEncoding)
  if (codings.length > MAX_CODINGS && body.length > 0) return done(new CodedError('ENCODING_UNSUPPORTED'), body)
  undoCodings(codings, body, limitFor(body.length, maxBytes), done)
}

/** Codings in the order in which they were applied. */
export function parseCodings(contentEncoding: string): string[] {
  return contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
}

function limitFor(wireBytes: number, maxBytes: number): OutputLimit {
  const byRatio = Math.max(ANY_RATIO_BYTES, wireBytes * MAX_RATIO)
  if (byRatio < maxBytes) return { maxOutputLength: byRatio, breach: 'COMPRESSION_BOMB' }
  return { maxOutputLength: maxBytes, breach: 'BODY_TOO_LARGE' }
}

function undoCodings(codings: string[], body: Buffer, outputLimit: OutputLimit, done: DecodeDone): void {
  const coding = codings.at(-1)
  if (coding === undefined || body.length === 0) return done(null, body)
  const decoder = decoderFor(coding, body)
  if (decoder === null) return done(new CodedError('ENCODING_UNSUPPORTED'), body)
  const rest = codings.slice(0, -1)
  const decodeInPool = () =>
    decoder.async(body, outputLimit, (error, decoded) => {
      if (error) done(codingError(error, outputLimit), body)
      else undoCodings(rest, decoded, outputLimit, done)
    })
  if (body.length > SYNC_BYTES) return decodeInPool()
  let decoded: Buffer
  try {
    decoded = decoder.sync(body, outputLimit)
  } catch (error) {
    return decoder === gzip && !isTooLong(error) ? decodeInPool() : done(codingError(error, outputLimit), body)
  }
  undoCodings(rest, decoded, outputLimit, done)
}

/** Servers send "deflate" both with and without the zlib header. */
export function hasZlibHeader(data: Buffer): boolean {
  return data.length >= 2 && ((data[0] ?? 0) & 0x0f) === 8 && data.readUInt16BE(0) % 31 === 0
}

function codingError(error: unknown, outputLimit: OutputLimit): CodedError {
  return new CodedError(isTooLong(error) ? outputLimit.breach : 'ENCODING_INVALID')
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
