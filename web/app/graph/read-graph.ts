// How a graph is read from the server: once whole, then what came since. Groups are counted anew each time, and so are
// neighbourhoods, which have no since.

import { createModel, type GraphGrouping, type GraphModel, type GraphResponse, updateModel } from './graph-model.ts'

/** A step of growth is read in pieces of the limit; more than this many wait for the next time. */
const MAX_UPDATE_PAGES = 8

/** More groups than these are no easier to read than the urls, and each brings its links. */
export const MAX_GROUPS = 800

export interface GraphSelection {
  group: 'auto' | GraphGrouping
  limit: number
  around: number | null
  under: string | null
  /** The crawl has more urls than the limit. */
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

/** A new object for every reading, around the same model as long as that one grows. */
export interface GraphSnapshot {
  model: GraphModel
}

type FetchGraph = (query: GraphQuery) => Promise<GraphResponse>

export async function readGraph(
  known: GraphSnapshot | null,
  wish: GraphSelection,
  fetchGraph: FetchGraph,
): Promise<GraphSnapshot> {
  if (known === null || !canUpdate(known.model, wish))
    return { model: createModel(await readFromStart(wish, fetchGraph)) }
  const { model } = known
  for (let piece = 0; piece < MAX_UPDATE_PAGES; piece++) {
    const answer = await fetchGraph({ group: 'url', limit: wish.limit, since: model.version })
    updateModel(model, answer)
    if (answer.nodes.length < wish.limit) break
  }
  return { model }
}

/** Urls while they fit and groups when they do not; but a single group says nothing, so then as many urls as fit. */
async function readFromStart(wish: GraphSelection, fetchGraph: FetchGraph): Promise<GraphResponse> {
  const { limit, group, around, under } = wish
  const query = { limit, ...(around === null ? {} : { around }), ...(under === null ? {} : { under }) }
  if (group !== 'auto' || around !== null) return fetchGraph({ ...query, group })
  const askGroups = () => fetchGraph({ ...query, group: 'path', limit: Math.min(limit, MAX_GROUPS) })
  if (under === null) {
    const answer = await (wish.isLarge ? askGroups() : fetchGraph({ ...query, group }))
    return answer.group === 'url' || answer.nodes.length > 1
      ? answer
      : fetchGraph({ ...query, group: 'url', by: 'rank' })
  }
  const urls = await fetchGraph({ ...query, group: 'url' })
  if (urls.is_complete || urls.nodes.length < limit) return urls
  const groups = await askGroups()
  return groups.nodes.length > 1 ? groups : urls
}

function canUpdate(model: GraphModel, wish: GraphSelection): boolean {
  if (model.group !== 'url' || wish.around !== null || wish.under !== null) return false
  // Once there are too many to be drawn one by one, the server is asked for groups.
  return wish.group === 'url' || model.totalNodes <= wish.limit
}
