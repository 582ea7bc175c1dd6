// What is refused twice is wanted: `-(-pear)` is `pear`, and `-(plum OR -pear)` is `pear -plum`. What may be refused
// instead is refused without it: `fig (plum OR -pear)` is `fig -(pear -plum)`. An index is asked for what is wanted and
// refuses words, so nothing that is refused is hidden in what is refused, nor beside something wanted in an `or`.

import type { QueryNode } from '../../ports/search.ts'
import { isOnlyNot } from '../rank/bm25.ts'

export function settleNots(node: QueryNode): QueryNode {
  if (node.kind === 'not') return refused(settleNots(node.part))
  if (!('parts' in node)) return node
  const parts = node.parts.map(settleNots)
  const isBesideWanted = node.kind === 'and' && parts.some((part) => !isOnlyNot(part) && !mayBeRefused(part))
  return {
    kind: node.kind,
    parts: isBesideWanted ? parts.map((part) => (mayBeRefused(part) ? turned(part) : part)) : parts,
  }
}

/** Something is wanted, or something else is not there: alone such a part finds only what is wanted. */
function mayBeRefused(node: QueryNode): boolean {
  return node.kind === 'or' && node.parts.some(isOnlyNot) && !isOnlyNot(node)
}

/** Somewhere in it is such a part. */
export function hasChoice(node: QueryNode): boolean {
  if (mayBeRefused(node)) return true
  if (node.kind === 'not') return hasChoice(node.part)
  return 'parts' in node && node.parts.some(hasChoice)
}

function turned(node: QueryNode): QueryNode {
  return 'parts' in node ? { kind: 'not', part: { kind: 'and', parts: node.parts.map(refused) } } : node
}

/** Its opposite, of a part that is settled: refused are one and the other where either will do that has not one of them. */
export function refused(part: QueryNode): QueryNode {
  if (part.kind === 'not') return part.part
  if (part.kind === 'or' && part.parts.some(hasNot)) return { kind: 'and', parts: part.parts.map(refused) }
  if (part.kind === 'and' && part.parts.every((one) => isOnlyNot(one) || mayBeRefused(one))) {
    return { kind: 'or', parts: part.parts.map(refused) }
  }
  return { kind: 'not', part }
}

function hasNot(node: QueryNode): boolean {
  return node.kind === 'not' || ('parts' in node && node.parts.some(hasNot))
}
