// What is refused twice is wanted: `-(-pear)` is `pear`, and `-(plum OR -pear)` is `pear -plum`. What may be refused
// instead is refused without it: `fig (plum OR -pear)` is `fig -(pear -plum)`. An index is asked for what is wanted and
// refuses words, so nothing that is refused is hidden in what is refused, nor beside something wanted in an `or`.

import type { QueryNode } from '../../ports/search.ts'
import { isPurelyNegative } from './pure-negations.ts'

export function normaliseNegations(node: QueryNode): QueryNode {
  if (node.kind === 'not') return negate(normaliseNegations(node.part))
  if (!('parts' in node)) return node
  const parts = node.parts.map(normaliseNegations)
  const isBesideWanted = node.kind === 'and' && parts.some((part) => !isPurelyNegative(part) && !isMixedOr(part))
  return {
    kind: node.kind,
    parts: isBesideWanted ? parts.map((part) => (isMixedOr(part) ? toNegatedAnd(part) : part)) : parts,
  }
}

/** Something is wanted, or something else is not there: alone such a part finds only what is wanted. */
function isMixedOr(node: QueryNode): boolean {
  return node.kind === 'or' && node.parts.some(isPurelyNegative) && !isPurelyNegative(node)
}

/** Somewhere in it is such a part. */
export function hasMixedOr(node: QueryNode): boolean {
  if (isMixedOr(node)) return true
  if (node.kind === 'not') return hasMixedOr(node.part)
  return 'parts' in node && node.parts.some(hasMixedOr)
}

function toNegatedAnd(node: QueryNode): QueryNode {
  return 'parts' in node ? { kind: 'not', part: { kind: 'and', parts: node.parts.map(negate) } } : node
}

/** Its opposite, of a part that is settled: refused are one and the other where either will do that has not one of them. */
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
