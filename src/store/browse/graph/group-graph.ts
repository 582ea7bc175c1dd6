// A graph of URL groups: hosts, or folders of a useful size.

import type { GraphNode } from '../../../ports/browse.ts'
import { LEFT_OUT, type PathTree, treeState } from '../paths/path-tree.ts'
import type { TreeLinks } from '../paths/tree-links.ts'
import { chooseGroups, type Group, type GroupRequest, openGroups } from './choose-groups.ts'
import { PairCounts } from './pair-counts.ts'
import type { BuiltGraph } from './url-graph.ts'

/** More groups are no easier to read than URLs. */
const MAX_GROUPS = 1000
const NOT_SHOWN = -1

export function buildGroupGraph(
  tree: PathTree,
  treeLinks: TreeLinks,
  request: GroupRequest & { open: readonly string[]; maxEdges: number },
): BuiltGraph {
  const limit = Math.min(request.limit, MAX_GROUPS)
  const groups = chooseGroups(tree, { ...request, limit })
  const largest = largestGroups(groups, limit)
  const hidden = groups.length - largest.length
  const shown = openGroups(tree, treeLinks.inlinks, largest, request.open)
  const nodeOf = assignNodes(tree, shown)
  const nodes = shown.map((group): GraphNode => emptyNode(tree, group))
  countUrls(tree, nodes, nodeOf)
  const { counts, links } = countLinks(treeLinks, nodes, nodeOf)
  for (const node of nodes) node.rank = links === 0 ? 0 : node.inlinks / links
  const { pairs, total } = counts.mostLinked(request.maxEdges)
  const idAt = (place: number) => nodes[place]?.id ?? ''
  const edges = pairs.map(({ from, to, links }) => ({ from: idAt(from), to: idAt(to), links }))
  const isComplete = treeLinks.isWhole && hidden === 0 && total <= request.maxEdges
  return { nodes, edges, totalNodes: shown.length + hidden, totalEdges: total, isComplete }
}

/** The groups with the most URLs, in order of discovery. */
function largestGroups(groups: Group[], limit: number): Group[] {
  if (groups.length <= limit) return groups
  const largest = new Set(groups.toSorted((a, b) => b.urls - a.urls).slice(0, limit))
  return groups.filter((group) => largest.has(group))
}

/** The node of each URL, by position. */
function assignNodes({ folders, urls }: PathTree, groups: readonly Group[]): Int32Array {
  const ofFolder = new Int32Array(folders.length).fill(NOT_SHOWN)
  const ofOwn = new Int32Array(folders.length).fill(NOT_SHOWN)
  groups.forEach((group, node) => {
    if (group.kind === 'folder') ofFolder[group.folder] = node
    else if (group.kind === 'own' || group.kind === 'own-rest') ofOwn[group.folder] = node
    else if (group.kind === 'rest') for (const folder of group.folders) ofFolder[folder] = node
  })
  folders.forEach(({ parent }, i) => {
    if (ofFolder[i] === NOT_SHOWN && parent !== -1) ofFolder[i] = ofFolder[parent] ?? NOT_SHOWN
    if (ofOwn[i] === NOT_SHOWN) ofOwn[i] = ofFolder[i] ?? NOT_SHOWN
  })
  const nodeOf = Int32Array.from(urls.folders, (folder) => ofOwn[folder] ?? NOT_SHOWN)
  groups.forEach((group, node) => {
    if (group.kind === 'url') nodeOf[group.position] = node
  })
  return nodeOf
}

function emptyNode(tree: PathTree, group: Group): GraphNode {
  const isUrl = group.kind === 'url'
  const folder = isUrl ? tree.urls.folders[group.position] : group.kind === 'rest' ? group.folders[0] : group.folder
  const urlId = isUrl ? (tree.urls.ids[group.position] ?? 0) : null
  return {
    id: urlId === null ? group.label : String(urlId),
    // The text of a URL is read later.
    label: group.label,
    urlId,
    host: tree.folders[folder ?? 0]?.label.split('/', 1)[0] ?? '',
    state: isUrl ? treeState(tree.urls.states[group.position]) : null,
    states: isUrl ? null : {},
    leftOut: 0,
    depth: Number.POSITIVE_INFINITY,
    urls: 0,
    inlinks: 0,
    rank: 0,
    parent: null,
  }
}

function countUrls({ urls }: PathTree, nodes: GraphNode[], nodeOf: Int32Array): void {
  nodeOf.forEach((place, position) => {
    const node = nodes[place]
    if (node === undefined) return
    if (node.urls === 0) {
      const parent = nodes[nodeOf[urls.parents[position] ?? -1] ?? NOT_SHOWN]
      if (parent !== undefined && parent !== node) node.parent = parent.id
    }
    node.urls += 1
    if (urls.states[position] === LEFT_OUT) node.leftOut += 1
    node.depth = Math.min(node.depth, urls.depths[position] ?? 0)
    const state = treeState(urls.states[position])
    if (node.states !== null) node.states[state] = (node.states[state] ?? 0) + 1
  })
}

/** Links are counted only between nodes, so that memory does not grow with all pairs of folders. */
function countLinks({ starts, targets }: TreeLinks, nodes: GraphNode[], nodeOf: Int32Array) {
  const counts = new PairCounts(nodes.length)
  const inlinks = new Uint32Array(nodes.length)
  let links = 0
  for (let position = 0; position < nodeOf.length; position++) {
    const from = nodeOf[position] ?? NOT_SHOWN
    const end = starts[position + 1] ?? 0
    for (let at = starts[position] ?? 0; at < end; at++) {
      const to = nodeOf[targets[at] ?? 0] ?? NOT_SHOWN
      if (from === to) continue
      links += 1
      if (to === NOT_SHOWN) continue
      inlinks[to] = (inlinks[to] ?? 0) + 1
      if (from !== NOT_SHOWN) counts.add(from, to)
    }
  }
  nodes.forEach((node, i) => {
    node.inlinks = inlinks[i] ?? 0
  })
  return { counts, links }
}
