import { constants, createGunzip } from 'node:zlib'
import { findGzipEnd } from '../fetch/find-gzip-end.ts'

const { Z_FINISH, Z_SYNC_FLUSH } = constants
const CHUNK_BYTES = 65_536

export interface ReceivedBody {
  body: Buffer
  /** The body continues after these bytes. */
  truncated: boolean
}

export interface GunzipResult {
  pieces: Buffer[]
  /** There is more output than these bytes. */
  isTruncated: boolean
}

export function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b
}

/**
 * Unpacks all members of the file in the thread pool, up to the limit. The output stays in chunks: joining 50 MB would
 * block the event loop. Null if the file is broken, or truncated although it was received completely. Calls `done`
 * exactly once, asynchronously.
 */
export function gunzipInPieces(
  packed: ReceivedBody,
  maxBytes: number,
  done: (unpacked: GunzipResult | null) => void,
): void {
  const { body, truncated } = packed
  unpack(packed, maxBytes, (unpacked) => {
    if (unpacked !== null) return done(unpacked)
    findGzipEnd(body, maxBytes, (end) => {
      if (end === null || end === body.length) done(null)
      else unpack({ body: body.subarray(0, end), truncated }, maxBytes, done)
    })
  })
}

function unpack(
  { body, truncated }: ReceivedBody,
  maxBytes: number,
  done: (unpacked: GunzipResult | null) => void,
): void {
  const pieces: Buffer[] = []
  let bytes = 0
  let isSettled = false
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES, finishFlush: truncated ? Z_SYNC_FLUSH : Z_FINISH })
  const settle = (unpacked: GunzipResult | null) => {
    if (isSettled) return
    isSettled = true
    gunzip.destroy()
    done(unpacked)
  }
  gunzip.on('data', (piece: Buffer) => {
    if (isSettled) return
    const excess = bytes + piece.length - maxBytes
    pieces.push(excess > 0 ? piece.subarray(0, piece.length - excess) : piece)
    bytes += piece.length
    if (excess > 0) settle({ pieces, isTruncated: true })
  })
  gunzip.on('end', () => settle({ pieces, isTruncated: truncated }))
  gunzip.on('error', () => settle(null))
  gunzip.end(body)
}
