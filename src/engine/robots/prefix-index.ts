// Finds the best entry whose prefix a path starts with, in one binary search. Among sorted prefixes, the last one not
// after the path starts with every prefix of that path in the list, so these are found by walking up from it.

export interface PrefixEntry<T> {
  prefix: string
  value: T
}

interface PrefixNode<T> {
  prefix: string
  parent: PrefixNode<T> | null
  /** The best value of this prefix and the shorter prefixes it starts with. */
  best: T
}

/** `compare` sorts the better value first. */
export function indexPrefixes<T>(
  entries: PrefixEntry<T>[],
  compare: (a: T, b: T) => number,
): (path: string) => T | null {
  const nodes = buildNodes(entries, compare)
  return (path) => {
    let node = lastNotAfter(nodes, path)
    while (node !== null && !path.startsWith(node.prefix)) node = node.parent
    return node === null ? null : node.best
  }
}

function buildNodes<T>(entries: PrefixEntry<T>[], compare: (a: T, b: T) => number): PrefixNode<T>[] {
  const better = (a: T, b: T) => (compare(a, b) <= 0 ? a : b)
  const sorted = entries.toSorted((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0))
  const nodes: PrefixNode<T>[] = []
  for (const { prefix, value } of sorted) {
    let parent = nodes.at(-1) ?? null
    if (parent !== null && parent.prefix === prefix) {
      parent.best = better(parent.best, value)
      continue
    }
    while (parent !== null && !prefix.startsWith(parent.prefix)) parent = parent.parent
    nodes.push({ prefix, parent, best: parent === null ? value : better(parent.best, value) })
  }
  return nodes
}

function lastNotAfter<T>(nodes: PrefixNode<T>[], path: string): PrefixNode<T> | null {
  let low = 0
  let high = nodes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const node = nodes[middle]
    if (node !== undefined && node.prefix <= path) low = middle + 1
    else high = middle
  }
  return nodes[low - 1] ?? null
}
