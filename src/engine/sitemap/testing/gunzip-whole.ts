import { gunzipSync } from 'node:zlib'

/** Unpacks synchronously. Null if the body is broken or too large. */
export function gunzipWhole(body: Buffer, maxBytes: number): Buffer | null {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes })
  } catch {
    return null
  }
}
