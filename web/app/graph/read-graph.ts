// Reads a graph from the server: first in full, then only the changes. Groups and neighbourhoods
// are always read in full.

import { createModel, type GraphGrouping, type GraphModel, type GraphResponse, updateModel } from './graph-model.ts'

/** Pages of changes per update, each up to the limit; the rest waits for the next update. */
const MAX_UPDATE_PAGES = 8

/** Limit of groups before any is opened, chosen for readability. */
export const MAX_GROUPS = 60

export interface GraphSelection {
  group: 'auto' | GraphGrouping
  limit: number
  around: number | null
  under: string | null
  /** Labels of opened groups. */
  open: readonly string[]
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
  open?: string
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

/** Reads URLs if they fit, otherwise groups. A single group shows nothing, so it is opened. */
async function readInFull(selection: GraphSelection, fetchGraph: FetchGraph): Promise<GraphResponse> {
  const { limit, group, around, under, open } = selection
  const query = { limit, ...(around === null ? {} : { around }), ...(under === null ? {} : { under }) }
  if ((group !== 'auto' && group !== 'path') || around !== null) return fetchGraph({ ...query, group })
  const fetchGroups = (opened: readonly string[]) => {
    const labels = opened.length === 0 ? {} : { open: opened.join(' ') }
    return fetchGraph({ ...query, ...labels, group: 'path', limit: MAX_GROUPS })
  }
  if (group === 'auto' && !selection.isLarge) {
    const urls = await fetchGraph({ ...query, group: under === null ? group : 'url' })
    if (urls.group === 'url' && (under === null || urls.nodes.length === urls.total_nodes)) return urls
  }
  const groups = await fetchGroups(open)
  const [only] = groups.nodes
  return groups.nodes.length === 1 && only?.url_id === null ? fetchGroups([...open, only.label]) : groups
}

function canUpdate(model: GraphModel, selection: GraphSelection): boolean {
  const isPart = selection.around !== null || selection.under !== null
  if (model.group !== 'url' || isPart || selection.group === 'path') return false
  // A full read returns groups once there are too many URLs to draw.
  return selection.group === 'url' || model.totalNodes <= selection.limit
}
