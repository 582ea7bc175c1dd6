// One level of a site by path, with the level below it.

import type { FolderContents, FolderFigures, FolderRequest, SubfolderFigures } from '../../../ports/browse.ts'
import type { BrowseDb } from '../browse-db.ts'
import { loadUrls } from '../graph/graph-urls.ts'
import { LEFT_OUT, type PathTree, treeState } from './path-tree.ts'
import type { PathTreeCache } from './path-tree-cache.ts'

/** The part of all URLs or bytes that a folder further down must have: smaller ones could not be seen. */
const MIN_SHARE = 1 / 1500

export async function readFolders(
  db: BrowseDb,
  trees: PathTreeCache,
  crawlId: string,
  { under, limit }: FolderRequest,
): Promise<FolderContents | null> {
  const crawl = await db.crawl(crawlId)
  const { tree } = await trees.get(crawl)
  const part = under === null ? null : tree.find(under)
  if (under !== null && part === null) return null
  const folder = part?.folder ?? null
  const folders = folder === null ? largestHosts(tree) : part?.isOwn === true ? [] : tree.children(folder)
  const own = folder === null ? [] : tree.positions({ folder, isOwn: true })
  const { bytes } = tree.urls
  const largest = own.toSorted((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0) || a - b).slice(0, limit)
  const ownTotals = folder === null ? [] : [tree.totals({ folder, isOwn: true })]
  const total = sumUp([...folders.map((each) => tree.totals({ folder: each, isOwn: false })), ...ownTotals])
  return {
    label: folder === null ? null : (tree.folders[folder]?.label ?? null),
    ...total,
    folders: folders.slice(0, limit).map((each) => withChildren(tree, each, total)),
    totalFolders: folders.length,
    ownUrls: await readOwnUrls(db, crawl.rowId, tree, largest),
    totalOwnUrls: own.length,
    isComplete: tree.isWhole,
  }
}

function largestHosts(tree: PathTree): number[] {
  const urls = (folder: number) => tree.urlCount({ folder, isOwn: false })
  return tree.hosts.toSorted((a, b) => urls(b) - urls(a) || a - b)
}

function sumUp(parts: { urls: number; bytes: number }[]): { urls: number; bytes: number } {
  return parts.reduce((sum, { urls, bytes }) => ({ urls: sum.urls + urls, bytes: sum.bytes + bytes }), {
    urls: 0,
    bytes: 0,
  })
}

/** A list of the subfolders that are large enough, each mapped. */
function largeChildren<T>(
  tree: PathTree,
  folder: number,
  { urls, bytes }: { urls: number; bytes: number },
  map: (child: number, figures: FolderFigures) => T,
): T[] {
  return tree.children(folder).flatMap((child) => {
    const figures = toFigures(tree, child)
    const isLarge = figures.urls > urls * MIN_SHARE || figures.bytes > bytes * MIN_SHARE
    return isLarge ? [map(child, figures)] : []
  })
}

function withChildren(tree: PathTree, folder: number, total: { urls: number; bytes: number }): SubfolderFigures {
  const children = largeChildren(tree, folder, total, (child, figures) => ({
    ...figures,
    children: largeChildren(tree, child, total, (_, each) => each),
  }))
  return { ...toFigures(tree, folder), children }
}

function toFigures(tree: PathTree, folder: number): FolderFigures {
  const { name = '', label = '', children = [] } = tree.folders[folder] ?? {}
  return { label, name, ...tree.totals({ folder, isOwn: false }), folders: children.length }
}

async function readOwnUrls(
  db: BrowseDb,
  crawl: number,
  { urls }: PathTree,
  positions: readonly number[],
): Promise<FolderContents['ownUrls']> {
  const idAt = (position: number) => urls.ids[position] ?? 0
  const textOf = new Map((await loadUrls(db, crawl, positions.map(idAt))).urls.map(({ id, url }) => [id, url]))
  return positions.map((position) => {
    const fetchMs = urls.fetchMs[position] ?? Number.NaN
    return {
      id: idAt(position),
      url: textOf.get(idAt(position)) ?? '',
      state: treeState(urls.states[position]),
      leftOut: urls.states[position] === LEFT_OUT ? 1 : 0,
      bytes: urls.bytes[position] ?? 0,
      fetchMs: Number.isNaN(fetchMs) ? null : fetchMs,
    }
  })
}
