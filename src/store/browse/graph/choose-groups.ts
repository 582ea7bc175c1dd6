// Chooses the groups of a graph: the largest folders are split first, as long as their parts fit, so that groups are of
// similar size however deep the site is. Groups that the user opened are split after that, so that all others stay.

import type { PathTree } from '../paths/path-tree.ts'

/** Parts of one folder. The smallest share one group. */
const MAX_PARTS = 60
/** URLs of one folder. */
const MAX_URLS = 150
/** Limit of nodes including those of opened groups. Beyond it, groups stay closed. */
const MAX_OPENED = 3000
/** Replaces the parts of a label that differ within a group. No URL contains it. */
export const REST = '…'

export type Group =
  | { kind: 'folder' | 'own'; label: string; folder: number; urls: number }
  | { kind: 'rest'; label: string; folders: number[]; urls: number }
  /** The URLs directly in a folder, except for URLs with separate nodes. */
  | { kind: 'own-rest'; label: string; folder: number; urls: number }
  | { kind: 'url'; label: string; position: number; urls: number }

export interface GroupRequest {
  under: string | null
  limit: number
  isByHost: boolean
}

/** The groups before any is opened. May be more than the limit, since each host is a group. */
export function chooseGroups(tree: PathTree, { under, limit, isByHost }: GroupRequest): Group[] {
  return isByHost ? firstGroups(tree, null) : splitLargest(tree, firstGroups(tree, under), limit)
}

/** Replaces the groups with these labels by their parts, in place. */
export function openGroups(tree: PathTree, inlinks: Uint32Array, groups: Group[], labels: readonly string[]): Group[] {
  const wanted = foldersToOpen(tree, labels)
  let shown = groups.length
  const open = (group: Group): Group[] => {
    if (!wanted.has(group.label) || shown >= MAX_OPENED) return [group]
    const parts = openGroup(tree, inlinks, group)
    if (parts.length === 1 && parts[0] === group) return parts
    shown += parts.length - 1
    return parts.flatMap(open)
  }
  return groups.flatMap(open)
}

function firstGroups(tree: PathTree, under: string | null): Group[] {
  if (under === null) return tree.hosts.map((folder) => folderGroup(tree, folder))
  const part = tree.find(under)
  if (part === null) return []
  return [part.isOwn ? ownGroup(tree, part.folder) : folderGroup(tree, part.folder)]
}

function splitLargest(tree: PathTree, first: Group[], limit: number): Group[] {
  // Parts would not fit either, and there may be a group for each of very many hosts.
  if (first.length > limit) return first
  let groups = first
  const whole = new Set<Group>()
  for (;;) {
    let largest: Group | null = null
    for (const group of groups) {
      if (!whole.has(group) && group.urls > (largest?.urls ?? 1)) largest = group
    }
    if (largest === null) return groups
    const parts = splitFolder(tree, largest)
    if (parts.length === 0 || groups.length - 1 + parts.length > limit) whole.add(largest)
    else groups = groups.flatMap((group) => (group === largest ? parts : [group]))
  }
}

/** Empty if the group has no subfolders. */
function splitFolder(tree: PathTree, group: Group): Group[] {
  const children = group.kind === 'folder' ? tree.children(group.folder) : group.kind === 'rest' ? group.folders : []
  if (children.length === 0 || group.kind === 'url') return []
  const own = group.kind === 'folder' ? ownGroup(tree, group.folder) : null
  const parts = own === null || own.urls === 0 ? [] : [own]
  const shown = children.length > MAX_PARTS ? children.slice(0, MAX_PARTS - 1) : children
  for (const folder of shown) parts.push(folderGroup(tree, folder))
  const folders = children.slice(shown.length)
  if (folders.length === 0) return parts
  const urls = folders.reduce((sum, folder) => sum + tree.urlCount({ folder, isOwn: false }), 0)
  const parent = tree.folders[folders[0] ?? 0]?.parent ?? 0
  return [...parts, { kind: 'rest', label: `${tree.folders[parent]?.label}/${REST}`, folders, urls }]
}

/** The parts of a group that the user opened: subfolders, or the URLs of a folder without any. */
function openGroup(tree: PathTree, inlinks: Uint32Array, group: Group): Group[] {
  const parts = splitFolder(tree, group)
  if (parts.length > 0) return parts
  if (group.kind !== 'folder' && group.kind !== 'own') return [group]
  const { folder } = group
  const positions = tree.positions({ folder, isOwn: true })
  positions.sort((a, b) => (inlinks[b] ?? 0) - (inlinks[a] ?? 0) || a - b)
  const shown = positions.slice(0, positions.length > MAX_URLS ? MAX_URLS - 1 : MAX_URLS)
  const urls = shown.map((position): Group => ({ kind: 'url', label: '', position, urls: 1 }))
  const rest = positions.length - shown.length
  if (rest === 0) return urls
  return [...urls, { kind: 'own-rest', label: `${tree.folders[folder]?.label}//${REST}`, folder, urls: rest }]
}

/** The labels to open, with the folders that they are in. */
function foldersToOpen(tree: PathTree, labels: readonly string[]): Set<string> {
  const wanted = new Set<string>()
  for (const label of labels) {
    wanted.add(label)
    const part = tree.find(label.endsWith(`/${REST}`) ? label.slice(0, -REST.length - 1) : label)
    for (let at = part?.folder ?? -1; at !== -1; at = tree.folders[at]?.parent ?? -1) {
      const folder = tree.folders[at]
      if (folder !== undefined && (part?.folder !== at || part.isOwn || label.endsWith(REST))) wanted.add(folder.label)
    }
  }
  return wanted
}

function folderGroup(tree: PathTree, folder: number): Group {
  const label = tree.folders[folder]?.label ?? ''
  return { kind: 'folder', label, folder, urls: tree.urlCount({ folder, isOwn: false }) }
}

function ownGroup(tree: PathTree, folder: number): Group {
  const label = `${tree.folders[folder]?.label ?? ''}/`
  return { kind: 'own', label, folder, urls: tree.urlCount({ folder, isOwn: true }) }
}
