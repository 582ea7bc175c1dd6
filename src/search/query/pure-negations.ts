// Parts of a query that only exclude documents.

import type { QueryNode } from '../../ports/search.ts'

/** A pure negation matches nothing by itself: it narrows the other parts of an `and`, and adds nothing to an `or`. */
export function dropPureNegations(node: QueryNode): QueryNode | null {
  if (isPurelyNegative(node)) return null
  if (node.kind !== 'and' && node.kind !== 'or') return node
  const parts = node.parts.flatMap((part) => {
    if (isPurelyNegative(part)) return node.kind === 'and' ? [part] : []
    return dropPureNegations(part) ?? []
  })
  return { ...node, parts }
}

export function isPurelyNegative(node: QueryNode): boolean {
  return node.kind === 'not' || ((node.kind === 'and' || node.kind === 'or') && node.parts.every(isPurelyNegative))
}
