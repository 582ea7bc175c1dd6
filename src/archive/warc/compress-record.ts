import { freeMemory } from '../../lib/free-memory.ts'

const LONG_RECORD_BYTES = 64 * 1024
/** Most pages take a few KB when compressed; such chunks are slices of Node's pool. */
const CHUNK_BYTES = 4096
/** Compressed, most long pages fit into one. */
const LONG_CHUNK_BYTES = 33 * 1024

/** `compress` calls zlib, which writes chunks of this size. The rest of a long one is freed. */
export function compressRecord(record: Buffer, compress: (chunkSize: number) => Buffer): Buffer {
  if (record.length < LONG_RECORD_BYTES) return compress(CHUNK_BYTES)
  const output = compress(LONG_CHUNK_BYTES)
  const copy = Buffer.from(output)
  freeMemory(output)
  return copy
}
