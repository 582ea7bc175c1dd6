// The site as a tree of folders, made from groups or urls that the server told, one level at a time.

import type { GraphNode } from './graph-model.ts'

export interface Branch {
  /** Give it to the server to go into it. */
  under: string
  name: string
  urls: number
  /** The url itself, when the branch is nothing but one. */
  url: GraphNode | null
}

/** What lies directly below a group; of all, when it is null. The most urls first. */
export function listBranches(under: string | null, nodes: Iterable<GraphNode>): Branch[] {
  const base = under === null ? '' : bare(under).replace(/\/$/, '')
  const branches = new Map<string, Branch>()
  for (const node of nodes) {
    const { key, name, isWhole } = nextStep(base, bare(node.label))
    const known = branches.get(key)
    if (known === undefined) {
      branches.set(key, { under: key, name, urls: node.urls, url: isWhole && node.url_id !== null ? node : null })
    } else {
      known.urls += node.urls
      known.url = null
    }
  }
  return [...branches.values()].sort((a, b) => b.urls - a.urls || (a.name < b.name ? -1 : 1))
}

/** The label as far as one step below the base, and whether nothing is left of it then. */
function nextStep(base: string, label: string): { key: string; name: string; isWhole: boolean } {
  const rest = label.startsWith(base) ? label.slice(base.length).replace(/^\//, '') : label
  const [folder = ''] = rest.split(/[/?]/, 1)
  const from = label.length - rest.length
  const end = from + folder.length
  // Everything behind a question mark is one name, however many slashes it has.
  if (rest.startsWith('?') || label.charAt(end) === '?') return { key: label, name: rest, isWhole: true }
  const isWhole = end >= label.replace(/\/$/, '').length
  return { key: label.slice(0, end), name: folder === '' ? '/' : folder, isWhole }
}

function bare(label: string): string {
  return label.replace(/^https?:\/\//, '')
}
