// Groups words of a query that the index has as a single word.

import type { SyntaxNode } from './query-parser.ts'
import { MAX_SEQUENCE, plainWord } from './query-words.ts'

export interface WordGroup {
  group: SyntaxNode[]
  /** The joined word; null for a part without one. */
  joined: string | null
}

/** The longest groups from the left. `joins` has the single word by the words with a space between them. */
export function groupByForm(parts: readonly SyntaxNode[], joins: ReadonlyMap<string, string>): WordGroup[] {
  if (joins.size === 0) return parts.map((part) => ({ group: [part], joined: null }))
  const words = parts.map(plainWord)
  const groups: WordGroup[] = []
  for (let from = 0; from < parts.length; ) {
    let to = Math.min(parts.length, from + MAX_SEQUENCE)
    while (to > from + 1 && !joins.has(words.slice(from, to).join(' '))) to--
    const joined = to === from + 1 ? null : (joins.get(words.slice(from, to).join(' ')) ?? null)
    groups.push({ group: parts.slice(from, to), joined })
    from = to
  }
  return groups
}
