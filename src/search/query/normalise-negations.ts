// Rewrites nested negations. A double negation is dropped: `-(-pear)` becomes `pear`, and `-(plum OR -pear)` becomes
// `pear -plum`. A negation inside an OR becomes an exclusion: `fig (plum OR -pear)` becomes `fig -(pear -plum)`. An
// index only excludes words from a positive match, so afterwards no negation is nested in another or mixed with a
// positive part in an `or`.

import type { QueryNode } from '../../ports/search.ts'
import { isPurelyNegative } from './pure-negations.ts'

export function normaliseNegations(node: QueryNode): QueryNode {
  if (node.kind === 'not') return negate(normaliseNegations(node.part))
  if (!('parts' in node)) return node
  const parts = node.parts.map(normaliseNegations)
  const hasPositivePart = node.kind === 'and' && parts.some((part) => !isPurelyNegative(part) && !isMixedOr(part))
  return {
    ...node,
    parts: hasPositivePart ? parts.map((part) => (isMixedOr(part) ? toNegatedAnd(part) : part)) : parts,
  }
}

/** An `or` of positive and negative parts. Alone it matches only by its positive parts. */
function isMixedOr(node: QueryNode): boolean {
  return node.kind === 'or' && node.parts.some(isPurelyNegative) && !isPurelyNegative(node)
}

export function hasMixedOr(node: QueryNode): boolean {
  if (isMixedOr(node)) return true
  if (node.kind === 'not') return hasMixedOr(node.part)
  return 'parts' in node && node.parts.some(hasMixedOr)
}

function toNegatedAnd(node: QueryNode): QueryNode {
  return 'parts' in node ? { kind: 'not', part: { kind: 'and', parts: node.parts.map(negate) } } : node
}

/** The negation of a normalised part, by De Morgan where it contains negations. */
export function negate(part: QueryNode): QueryNode {
  if (part.kind === 'not') return part.part
  if (part.kind === 'or' && part.parts.some(hasNot)) return { kind: 'and', parts: part.parts.map(negate) }
  if (part.kind === 'and' && part.parts.every((one) => isPurelyNegative(one) || isMixedOr(one))) {
    return { kind: 'or', parts: part.parts.map(negate) }
  }
  return { kind: 'not', part }
}

function hasNot(node: QueryNode): boolean {
  return node.kind === 'not' || ('parts' in node && node.parts.some(hasNot))
}
