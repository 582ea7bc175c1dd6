// The trials of a URL as a column: one per line, the newest first; and hashes and keys as bytes, little-endian.

import type { PatternTrial } from '../../frontier/judge-pattern.ts'

/** Null if the list is empty. */
export function encodeTrials(trials: readonly PatternTrial[]): string | null {
  return trials.map(({ pattern, generation }) => `${generation} ${pattern}`).join('\n') || null
}

export function decodeTrials(text: unknown): PatternTrial[] {
  if (typeof text !== 'string') return []
  return text.split('\n').map((line) => {
    const at = line.indexOf(' ')
    return { pattern: line.slice(at + 1), generation: Number(line.slice(0, at)) }
  })
}

export function encodeHashes(hashes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(hashes.length * 4)
  for (const [i, hash] of hashes.entries()) bytes.writeInt32LE(hash, i * 4)
  return bytes
}

export function decodeHashes(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.byteLength >> 2 }, (_, i) => view.getInt32(i * 4, true))
}
