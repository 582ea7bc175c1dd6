// Builds one level of the site tree at a time from the groups or URLs that the server returned.

import type { GraphNode } from './graph-model.ts'

export interface Branch {
  /** The `under` parameter for the level below. */
  under: string
  name: string
  urls: number
  /** Set if the branch is a single URL. */
  url: GraphNode | null
}

/** The branches directly below a group, or the top level if it is null. Largest first. */
export function listBranches(under: string | null, nodes: Iterable<GraphNode>): Branch[] {
  const base = under === null ? '' : withoutScheme(under).replace(/\/$/, '')
  const branches = new Map<string, Branch>()
  for (const node of nodes) {
    const { key, name, isWhole } = nextStep(base, withoutScheme(node.label))
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

/** The label cut one step below the base, and whether that is the whole label. */
function nextStep(base: string, label: string): { key: string; name: string; isWhole: boolean } {
  const rest = label.startsWith(base) ? label.slice(base.length).replace(/^\//, '') : label
  const [folder = ''] = rest.split(/[/?]/, 1)
  const from = label.length - rest.length
  const end = from + folder.length
  // A query string is one name, even if it contains slashes.
  if (rest.startsWith('?') || label.charAt(end) === '?') return { key: label, name: rest, isWhole: true }
  const isWhole = end >= label.replace(/\/$/, '').length
  return { key: label.slice(0, end), name: folder === '' ? '/' : folder, isWhole }
}

function withoutScheme(label: string): string {
  return label.replace(/^https?:\/\//, '')
}
