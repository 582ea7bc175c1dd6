// Keys of a page's links as stored in the links table: 8 bytes each, little-endian.

export const LINK_KEY_BYTES = 8

export function* decodeLinkKeys(blob: unknown): Generator<bigint> {
  if (!(blob instanceof Uint8Array)) return
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  for (let at = 0; at < view.byteLength; at += LINK_KEY_BYTES) yield view.getBigInt64(at, true)
}
