// Impact lists: for each term, the documents that contain it in tiers of how much it contributes to their score. A
// search reads the tiers with the highest contributions first and stops after a fixed number of entries, so that its
// cost is bounded and its result does not depend on load. The scores are approximate; term bags give the exact ones.
//
// A tier of a term is a term of its own in an index: the term followed by one digit.

import { FIELD_WEIGHTS, FIELDS } from '../../ports/search.ts'
import { lengthNorm } from './bm25.ts'

const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHTS[field])
/** There are two tiers per doubling of the frequency, relative to the length of the document. */
const PER_DOUBLING = 2
const FIRST_EXPONENT = -4
export const TIERS = 16
/** Average length that tiers assume. The actual one changes with every document. */
const AVERAGE_LENGTH = 400

export const TIER_DIGITS = '0123456789abcdef'

/** Normalises the frequencies of a document in its tiers. */
export function impactNorm(documentLength: number): number {
  return lengthNorm(documentLength, AVERAGE_LENGTH)
}

/** `counts` has the occurrences of the term in each field, from `first` on. */
export function tierOf(counts: Uint8Array, first: number, norm: number): number {
  let frequency = 0
  for (let field = 0; field < FIELDS.length; field++) frequency += (WEIGHTS[field] ?? 0) * (counts[first + field] ?? 0)
  const tier = Math.floor(PER_DOUBLING * (Math.log2(frequency / norm) - FIRST_EXPONENT))
  return Math.min(TIERS - 1, Math.max(0, tier))
}

/** The typical share of the highest score of a term that a document of this tier reaches, from 0 to 1. */
export function tierScore(tier: number): number {
  const ratio = 2 ** (FIRST_EXPONENT + (tier + 0.5) / PER_DOUBLING)
  return ratio / (ratio + 1)
}

export function impactTerm(term: string, tier: number): string {
  return term + TIER_DIGITS.charAt(tier)
}
