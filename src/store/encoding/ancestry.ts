// What a page passes on to its children, as columns: skeleton hashes, 4 bytes each, little-endian; and trials, one per
// line, newest first.

import type { PatternTrial } from '../../frontier/judge-pattern.ts'
import type { Ancestry } from '../../ports/leases.ts'

const TRIAL = /^(\d+) (.*)$/

/** Null if there are none. */
export function encodeTrials(trials: readonly PatternTrial[]): string | null {
  return trials.map(({ pattern, generation }) => `${generation} ${pattern}`).join('\n') || null
}

/** Older versions stored only the pattern. */
export function decodeTrials(text: unknown): PatternTrial[] {
  if (typeof text !== 'string') return []
  return text.split('\n').map((line) => {
    const [, generation = '1', pattern = line] = TRIAL.exec(line) ?? []
    return { pattern, generation: Number(generation) }
  })
}

/** Null if there is nothing to pass on. */
export function toAncestry(skeletons: Uint8Array | null, trials: readonly PatternTrial[]): Ancestry | null {
  const trial = trials[0]?.pattern ?? null
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
