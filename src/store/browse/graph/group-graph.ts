// A graph of URL groups: hosts, or folders of a useful size.

import type { GraphNode } from '../../../ports/browse.ts'
import { type PathTree, treeState, UrlSums } from '../paths/path-tree.ts'
import type { TreeLinks } from '../paths/tree-links.ts'
import { chooseGroups, type Group, type GroupRequest, openGroups } from './choose-groups.ts'
import { countPairs } from './count-pairs.ts'
import type { BuiltGraph } from './url-graph.ts'

/** A graph with more groups is no easier to read than one of URLs. */
const MAX_GROUPS = 1000

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
  const counts = countPairs(treeLinks, nodeOf, { groups: nodes.length, maxPairs: request.maxEdges })
  nodes.forEach((node, i) => {
    node.inlinks = counts.inlinks[i] ?? 0
    node.rank = counts.links === 0 ? 0 : node.inlinks / counts.links
  })
  const edges = { ids: nodes.map(({ id }) => id), ...counts.edges }
  const isComplete = treeLinks.isWhole && hidden === 0 && counts.pairs <= request.maxEdges
  return { nodes, edges, totalNodes: shown.length + hidden, totalEdges: counts.pairs, isComplete }
}

/** The groups with the most URLs, in order of discovery. */
function largestGroups(groups: Group[], limit: number): Group[] {
  if (groups.length <= limit) return groups
  const largest = new Set(groups.toSorted((a, b) => b.urls - a.urls).slice(0, limit))
  return groups.filter((group) => largest.has(group))
}

/** The node of each URL, by position; the number of nodes if it is in none. */
function assignNodes({ folders, urls }: PathTree, groups: readonly Group[]): Uint16Array {
  const notShown = groups.length
  const ofFolder = new Uint16Array(folders.length).fill(notShown)
  const ofOwn = new Uint16Array(folders.length).fill(notShown)
  groups.forEach((group, node) => {
    if (group.kind === 'folder') ofFolder[group.folder] = node
    else if (group.kind === 'own' || group.kind === 'own-rest') ofOwn[group.folder] = node
    else if (group.kind === 'rest') for (const folder of group.folders) ofFolder[folder] = node
  })
  folders.forEach(({ parent }, i) => {
    if (ofFolder[i] === notShown && parent !== -1) ofFolder[i] = ofFolder[parent] ?? notShown
    if (ofOwn[i] === notShown) ofOwn[i] = ofFolder[i] ?? notShown
  })
  const nodeOf = new Uint16Array(urls.folders.length)
  for (let i = 0; i < nodeOf.length; i++) nodeOf[i] = ofOwn[urls.folders[i] ?? 0] ?? notShown
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
    depth: 0,
    urls: 0,
    inlinks: 0,
    rank: 0,
    parent: null,
  }
}

function countUrls({ urls }: PathTree, nodes: GraphNode[], nodeOf: Uint16Array): void {
  const sums = new UrlSums(nodes.length)
  const depths = new Uint16Array(nodes.length).fill(0xffff)
  const firsts = new Int32Array(nodes.length).fill(-1)
  for (let position = 0; position < nodeOf.length; position++) {
    const at = nodeOf[position] ?? 0
    if (at === nodes.length) continue
    sums.addUrl(at, urls, position)
    if (firsts[at] === -1) firsts[at] = position
    depths[at] = Math.min(depths[at] ?? 0, urls.depths[position] ?? 0)
  }
  nodes.forEach((node, i) => {
    const { urls: count, states, leftOut } = sums.read(i)
    const parent = nodes[nodeOf[urls.parents[firsts[i] ?? -1] ?? -1] ?? nodes.length]
    if (parent !== undefined && parent !== node) node.parent = parent.id
    Object.assign(node, { urls: count, leftOut, depth: depths[i] ?? 0, ...(node.states === null ? {} : { states }) })
  })
}
