// A pattern split at its stars. Matching each part at its first occurrence is enough, since a star never needs less
// text than that; only a part anchored by `$` is matched from the end. Without a regex no pattern explodes.

export interface Wildcard {
  head: string
  middle: string[]
  /** The required end of a path; null without a final `$`. */
  tail: string | null
  hasStar: boolean
}

export function compileWildcard(pattern: string): Wildcard {
  const isAnchored = pattern.endsWith('$')
  const [head = '', ...rest] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  const tail = isAnchored ? (rest.at(-1) ?? '') : null
  const middle = isAnchored ? rest.slice(0, -1) : rest
  return { head, middle: middle.filter((part) => part !== ''), tail, hasStar: rest.length > 0 }
}

export function matchesWildcard(wildcard: Wildcard, path: string): boolean {
  const { head, middle, tail } = wildcard
  if (!path.startsWith(head) || (tail !== null && !path.endsWith(tail))) return false
  let at = head.length
  for (const part of middle) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (tail === null) return true
  return wildcard.hasStar ? path.length - tail.length >= at : path.length === at
}
