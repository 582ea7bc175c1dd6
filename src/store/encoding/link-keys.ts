// Keys of a page's links as stored in the links table: 8 bytes each, little-endian.

export const LINK_KEY_BYTES = 8

export function encodeLinkKeys(keys: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(keys.length * LINK_KEY_BYTES)
  for (const [i, key] of keys.entries()) bytes.writeBigInt64LE(key, i * LINK_KEY_BYTES)
  return bytes
}

export function* decodeLinkKeys(blob: unknown): Generator<bigint> {
  if (!(blob instanceof Uint8Array)) return
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  for (let at = 0; at < view.byteLength; at += LINK_KEY_BYTES) yield view.getBigInt64(at, true)
}
