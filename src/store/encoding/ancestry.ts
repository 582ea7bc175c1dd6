// Data that a URL inherits from the page that led to it, and the patterns it is on trial for.

import type { PatternTrial } from '../../frontier/judge-pattern.ts'
import type { Ancestry } from '../../ports/leases.ts'
import { decodeHashes } from './trials.ts'

/** `skeletons` belong to the parent, `trials` to the URL itself. Null if both are empty. */
export function toAncestry(skeletons: Uint8Array | null, trials: readonly PatternTrial[]): Ancestry | null {
  const trial = trials[0]?.pattern ?? null
  if (skeletons === null && trial === null) return null
  return { skeletons: skeletons === null ? [] : decodeHashes(skeletons), trial }
}
