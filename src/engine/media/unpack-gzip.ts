import { constants, gunzipSync } from 'node:zlib'

/** The maximum compression ratio of deflate (zlib's documentation, "Maximum Compression Factor"). */
export const MAX_GZIP_RATIO = 1032

/** Returns the available part of a truncated file; null if it is damaged or unpacks to more than `maxBytes`. */
export function unpackGzip(body: Buffer, maxBytes: number): Buffer | null {
  try {
    return gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes })
  } catch {
    return null
  }
}
