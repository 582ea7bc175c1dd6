// The rectangles of a treemap: the folders and URLs of one level, and in each folder the level below it.

import { hierarchy, treemap } from 'd3-hierarchy'
import type { RouteResponse } from '../../../src/api/contract/routes.ts'

export type Folders = RouteResponse<'getFolders'>
export type FolderFigures = Omit<Folders['folders'][number], 'children'> & { children?: FolderFigures[] }
export type OwnUrl = Folders['own_urls'][number]
export type Area = 'urls' | 'bytes'

export type CellContent =
  | { kind: 'folder'; folder: FolderFigures }
  | { kind: 'url'; url: OwnUrl }
  /** Folders or URLs that are not in the response. */
  | { kind: 'rest'; urls: number; bytes: number }

export interface Cell {
  key: string
  content: CellContent
  /** 0 for the folders and URLs of the level, 1 for the contents of these folders, and so on. */
  depth: number
  x: number
  y: number
  width: number
  height: number
}

/** The row with the name of a folder. */
const HEADER_PX = 26
/** Smaller cells are no links: they cannot be hit. The tree has them. */
const MIN_TARGET_PX = 24
/** Smaller folders do not show their contents. */
const MIN_INNER = { width: 90, height: 64 }

export function isTarget({ width, height }: Pick<Cell, 'width' | 'height'>): boolean {
  return width >= MIN_TARGET_PX && height >= MIN_TARGET_PX
}

interface Item {
  key: string
  content: CellContent | null
  value: number
  items: Item[]
}

export function layOutCells(level: Folders, area: Area, size: { width: number; height: number }): Cell[] {
  return placeItems(toItems(level, area), { x: 0, y: 0, ...size }, 0)
}

/** Folders come before their contents. */
function placeItems(items: Item[], into: Box, depth: number): Cell[] {
  return layOut(items, into).flatMap(({ item, box }) => {
    if (item.content === null) return []
    const cell = { key: item.key, content: item.content, depth, ...box }
    if (item.items.length === 0 || box.width < MIN_INNER.width || box.height < MIN_INNER.height) return [cell]
    const { x, y, width, height } = box
    const room = { x: x + 2, y: y + HEADER_PX, width: width - 4, height: height - HEADER_PX - 2 }
    return [cell, ...placeItems(item.items, room, depth + 1)]
  })
}

function toItems(level: Folders, area: Area): Item[] {
  const areaOf = (figures: { urls: number; bytes: number }) => (area === 'urls' ? figures.urls : figures.bytes)
  const folderItem = (folder: FolderFigures): Item => {
    const { children = [] } = folder
    const inChildren = children.reduce((sum, child) => sum + areaOf(child), 0)
    // An item without content keeps the place of everything else in the folder.
    const others: Item = { key: '', content: null, value: Math.max(0, areaOf(folder) - inChildren), items: [] }
    const items = children.length === 0 ? [] : [...children.map(folderItem), others]
    return { key: folder.label, content: { kind: 'folder', folder }, value: areaOf(folder), items }
  }
  const folders = level.folders.map(folderItem)
  const urls = level.own_urls.map(
    (url): Item => ({
      key: String(url.url_id),
      content: { kind: 'url', url },
      value: area === 'urls' ? 1 : url.bytes,
      items: [],
    }),
  )
  const items = [...folders, ...urls]
  const shown = { urls: level.own_urls.length, bytes: level.own_urls.reduce((sum, { bytes }) => sum + bytes, 0) }
  for (const folder of level.folders) {
    shown.urls += folder.urls
    shown.bytes += folder.bytes
  }
  const rest = { urls: level.urls - shown.urls, bytes: Math.max(0, level.bytes - shown.bytes) }
  if (rest.urls > 0) items.push({ key: 'rest', content: { kind: 'rest', ...rest }, value: areaOf(rest), items: [] })
  return items
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

function layOut(items: Item[], { x, y, width, height }: Box): { item: Item; box: Box }[] {
  interface Datum {
    item: Item | null
    children: Datum[]
  }
  const leaf = (item: Item): Datum => ({ item, children: [] })
  const root = hierarchy<Datum>({ item: null, children: items.map(leaf) })
    .sum(({ item }) => item?.value ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const placed = treemap<Datum>().size([width, height]).paddingInner(2).round(true)(root)
  return placed.leaves().flatMap(({ data, x0, y0, x1, y1 }) => {
    const box = { x: x + x0, y: y + y0, width: x1 - x0, height: y1 - y0 }
    return data.item === null || box.width < 1 || box.height < 1 ? [] : [{ item: data.item, box }]
  })
}
