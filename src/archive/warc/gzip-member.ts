// Packs each record as one gzip member (RFC 1952). Node can only reuse a zlib state through streams, which cost five
// times as much (190 against 37 microseconds for a page of 10 KB, 2026-11).

import { constants, crc32, deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib'
import { compressRecord } from './compress-record.ts'
import { MAX_RECORD_BYTES, recordLength } from './parse-record.ts'
import type { UnpackedMember } from './unpack-member.ts'

/** The end of every record. */
export const RECORD_END = Buffer.from('\r\n\r\n')
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const TRAILER_BYTES = 8
/** Maximum size of a stored block (RFC 1951, 3.2.4). */
const MAX_STORED_BYTES = 0xffff
/** Pages shrink to a few KB; a buffer of that size is faster to allocate than zlib's 16 KB. */
const CHUNK_BYTES = 4096
/** If another codec reduced a record to no less than this share, it is not compressed again. */
const INCOMPRESSIBLE = 0.9

/**
 * The member of a record, in pieces. `incompressible` is its payload if that is incompressible: level 1 takes three times as
 * long on it.
 */
export function packGzipMember(record: Buffer, incompressible: Uint8Array | null): Buffer[] {
  if (incompressible !== null && incompressible.length > 0) return packStored(record, incompressible)
  return [compressRecord(record, (chunkSize) => gzipSync(record, { level: 1, chunkSize }))]
}

/** A member of any codec, which holds `data`, as a gzip member. */
export function toGzipMember(member: Buffer, data: Buffer): Buffer {
  if (isGzip(member)) return member
  const isIncompressible = member.length > INCOMPRESSIBLE * data.length
  return gzipSync(data, { level: isIncompressible ? 0 : 1 })
}

/** Compresses only what precedes the payload. */
function packStored(record: Buffer, payload: Uint8Array): Buffer[] {
  const front = record.subarray(0, record.length - payload.length - RECORD_END.length)
  const flush = constants.Z_SYNC_FLUSH
  const pieces: Buffer[] = [HEADER, deflateRawSync(front, { level: 1, chunkSize: CHUNK_BYTES, finishFlush: flush })]
  for (let at = 0; at < payload.length; at += MAX_STORED_BYTES) {
    const part = payload.subarray(at, at + MAX_STORED_BYTES)
    pieces.push(storedHeader(part.length, false), Buffer.from(part.buffer, part.byteOffset, part.length))
  }
  pieces.push(storedHeader(RECORD_END.length, true), RECORD_END)
  const trailer = Buffer.allocUnsafe(TRAILER_BYTES)
  trailer.writeUInt32LE(crc32(record), 0)
  trailer.writeUInt32LE(record.length % 2 ** 32, 4)
  pieces.push(trailer)
  return pieces
}

function storedHeader(length: number, isLast: boolean): Buffer {
  return Buffer.from([isLast ? 1 : 0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff])
}

/** No optional fields: we write none. */
function isGzip(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(HEADER.subarray(0, 4))
}

/** Unpacks the member at the start of these bytes; other members may follow. */
export function unpackGzipMember(bytes: Buffer): UnpackedMember {
  if (bytes.length < HEADER.length) return { kind: 'cut', maxLength: longestMember(Buffer.alloc(0)) }
  if (!isGzip(bytes)) return { kind: 'broken' }
  const inflated = inflate(bytes.subarray(HEADER.length))
  if (inflated === null) return { kind: 'broken' }
  const { data, used } = inflated
  const end = HEADER.length + used
  if (bytes.length < end + TRAILER_BYTES) return { kind: 'cut', maxLength: longestMember(data) }
  const isIntact = bytes.readUInt32LE(end) === crc32(data) && bytes.readUInt32LE(end + 4) === data.length % 2 ** 32
  return isIntact ? { kind: 'whole', data, length: end + TRAILER_BYTES } : { kind: 'broken' }
}

/** The header of a large record states its length, so that a broken one does not cause the whole segment to be read. */
function longestMember(start: Buffer): number {
  const length = recordLength(start) ?? 0
  // Incompressible data grows by 5 bytes per 16 KB or more, plus header and trailer of the member.
  return length + Math.ceil(length / 1024) + 1024
}

/** With a flush instead of a finish, truncated input is not an error. */
const INFLATE = { info: true, finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_RECORD_BYTES }
/**
 * Most pages unpack to less than this multiple of their size: one buffer instead of several saves a quarter of the
 * time.
 */
const UNPACKED_FACTOR = 6
const MAX_CHUNK_BYTES = 1 << 18

const NOT_A_MEMBER: unknown[] = ['Z_DATA_ERROR', 'ERR_BUFFER_TOO_LARGE']

function inflate(bytes: Buffer): { data: Buffer; used: number } | null {
  try {
    // The types lack `info`.
    const chunkSize = Math.min(MAX_CHUNK_BYTES, Math.max(CHUNK_BYTES, UNPACKED_FACTOR * bytes.length))
    const result = inflateRawSync(bytes, { ...INFLATE, chunkSize }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { data: result.buffer, used: result.engine.bytesWritten }
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_A_MEMBER.includes(error.code)) return null
    throw error
  }
}
