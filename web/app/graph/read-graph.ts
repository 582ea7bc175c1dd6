// Reads a graph from the server: first in full, then only the changes. Groups and neighbourhoods
// are always read in full.

import { createModel, type GraphGrouping, type GraphModel, type GraphResponse, updateModel } from './graph-model.ts'

/** Pages of changes per update, each up to the limit; the rest waits for the next update. */
const MAX_UPDATE_PAGES = 8

/** More groups are no easier to read than URLs, and each adds its links. */
export const MAX_GROUPS = 800

export interface GraphSelection {
  group: 'auto' | GraphGrouping
  limit: number
  around: number | null
  under: string | null
  /** Whether the crawl has more URLs than the limit. */
  isLarge: boolean
}

export interface GraphQuery {
  group: 'auto' | GraphGrouping
  limit: number
  by?: 'rank'
  around?: number
  under?: string
  since?: string
}

/** A new object for every update; the model is the same object while it grows. */
export interface GraphSnapshot {
  model: GraphModel
}

type FetchGraph = (query: GraphQuery) => Promise<GraphResponse>

export async function readGraph(
  known: GraphSnapshot | null,
  selection: GraphSelection,
  fetchGraph: FetchGraph,
): Promise<GraphSnapshot> {
  if (known === null || !canUpdate(known.model, selection))
    return { model: createModel(await readInFull(selection, fetchGraph)) }
  const { model } = known
  for (let page = 0; page < MAX_UPDATE_PAGES; page++) {
    const changes = await fetchGraph({ group: 'url', limit: selection.limit, since: model.version })
    updateModel(model, changes)
    if (changes.nodes.length < selection.limit) break
  }
  return { model }
}

/** URLs if they fit, otherwise groups. A single group is useless, so then as many URLs as fit. */
async function readInFull(selection: GraphSelection, fetchGraph: FetchGraph): Promise<GraphResponse> {
  const { limit, group, around, under } = selection
  const query = { limit, ...(around === null ? {} : { around }), ...(under === null ? {} : { under }) }
  if (group !== 'auto' || around !== null) return fetchGraph({ ...query, group })
  const fetchGroups = () => fetchGraph({ ...query, group: 'path', limit: Math.min(limit, MAX_GROUPS) })
  if (under === null) {
    const response = await (selection.isLarge ? fetchGroups() : fetchGraph({ ...query, group }))
    return response.group === 'url' || response.nodes.length > 1
      ? response
      : fetchGraph({ ...query, group: 'url', by: 'rank' })
  }
  const urls = await fetchGraph({ ...query, group: 'url' })
  if (urls.is_complete || urls.nodes.length < limit) return urls
  const groups = await fetchGroups()
  return groups.nodes.length > 1 ? groups : urls
}

function canUpdate(model: GraphModel, selection: GraphSelection): boolean {
  if (model.group !== 'url' || selection.around !== null || selection.under !== null) return false
  // Once there are too many URLs to draw, a full read returns groups.
  return selection.group === 'url' || model.totalNodes <= selection.limit
}
