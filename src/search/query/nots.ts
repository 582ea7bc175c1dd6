// What is refused twice is wanted: `-(-pear)` is `pear`, and `-(plum OR -pear)` is `pear -plum`. An index is asked for
// what is wanted and refuses words, so nothing that is refused is hidden in what is refused.

import type { QueryNode } from '../../ports/search.ts'
import { isOnlyNot } from '../rank/bm25.ts'

export function withoutDoubleNots(node: QueryNode): QueryNode {
  if (node.kind === 'not') return refused(withoutDoubleNots(node.part))
  return 'parts' in node ? { ...node, parts: node.parts.map(withoutDoubleNots) } : node
}

/** Of a part without double nots. */
function refused(part: QueryNode): QueryNode {
  if (part.kind === 'not') return part.part
  if (part.kind === 'or' && part.parts.some(hasNot)) return { kind: 'and', parts: part.parts.map(refused) }
  if (part.kind === 'and' && isOnlyNot(part)) return { kind: 'or', parts: part.parts.map(refused) }
  return { kind: 'not', part }
}

function hasNot(node: QueryNode): boolean {
  return node.kind === 'not' || ('parts' in node && node.parts.some(hasNot))
}
