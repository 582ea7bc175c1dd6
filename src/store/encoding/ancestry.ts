// Skeleton hashes of a page as bytes: 4 per hash, little-endian.

import type { Ancestry } from '../../ports/leases.ts'

/** What a URL is on trial for. */
export interface UrlTrial {
  pattern: string
  /** Of frontier/judge-pattern.ts. */
  generation: number
}

/** Of a page among the trials of a pattern: those of another one do not count. */
export function generationIn(pattern: string, trial: UrlTrial | null): number {
  return trial?.pattern === pattern ? trial.generation : 0
}

/** From the columns of the parent's row. */
export function toUrlTrial(pattern: string | null, generation: number | string | null): UrlTrial | null {
  return pattern === null ? null : { pattern, generation: Number(generation ?? 1) }
}

/** From the columns of the parent's row; null if there is none. */
export function toAncestry(skeletons: Uint8Array | null, trial: string | null): Ancestry | null {
  if (skeletons === null && trial === null) return null
  return { skeletons: skeletons === null ? [] : decodeSkeletons(skeletons), trial }
}

function decodeSkeletons(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.byteLength >> 2 }, (_, i) => view.getInt32(i * 4, true))
}

export function encodeSkeletons(skeletons: readonly number[]): Buffer {
  const bytes = Buffer.alloc(skeletons.length * 4)
  for (const [i, hash] of skeletons.entries()) bytes.writeInt32LE(hash, i * 4)
  return bytes
}
