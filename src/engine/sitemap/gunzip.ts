import { createGunzip, gunzipSync } from 'node:zlib'

export type GunzipProblem = 'sitemap_too_large' | 'sitemap_gzip_invalid'

const CHUNK_BYTES = 65_536

export function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b
}

/**
 * Unpacks in the thread pool, all members of the file, and gives up at the first byte beyond the limit. The output stays
 * in the pieces it comes in: to join 50 MB would hold up the loop. Calls back exactly once, never before returning.
 */
export function gunzipInPieces(
  body: Buffer,
  maxBytes: number,
  done: (unpacked: Buffer[] | { problem: GunzipProblem }) => void,
): void {
  const pieces: Buffer[] = []
  let bytes = 0
  let isSettled = false
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  const settle = (unpacked: Buffer[] | { problem: GunzipProblem }) => {
    if (isSettled) return
    isSettled = true
    gunzip.destroy()
    done(unpacked)
  }
  gunzip.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > maxBytes) settle({ problem: 'sitemap_too_large' })
    else pieces.push(piece)
  })
  gunzip.on('end', () => settle(pieces))
  gunzip.on('error', () => settle({ problem: 'sitemap_gzip_invalid' }))
  gunzip.end(body)
}

/** For tests and fuzzing. Null if it is broken or too large. */
export function gunzipAtOnce(body: Buffer, maxBytes: number): Buffer | null {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch {
    return null
  }
}
