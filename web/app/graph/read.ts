// How a graph is read from the server: once whole, then what came since. Groups are counted anew each time, and so are
// neighbourhoods, which have no since.

import { type GraphAnswer, type GraphModel, type Group, growModel, startModel } from './model.ts'

/** A step of growth is read in pieces of the limit; more than this many wait for the next time. */
const MOST_PIECES = 8

/** More groups than these are no easier to read than the urls, and each brings its links. */
export const MAX_GROUPS = 800

export interface GraphWish {
  group: 'auto' | Group
  limit: number
  around: number | null
  under: string | null
  /** The crawl has more urls than the limit. */
  isLarge: boolean
}

export interface GraphQuery {
  group: 'auto' | Group
  limit: number
  by?: 'rank'
  around?: number
  under?: string
  since?: string
}

/** A new object for every reading, around the same model as long as that one grows. */
export interface Reading {
  model: GraphModel
}

type Ask = (query: GraphQuery) => Promise<GraphAnswer>

export async function readGraph(known: Reading | null, wish: GraphWish, ask: Ask): Promise<Reading> {
  if (known === null || !canGrow(known.model, wish)) return { model: startModel(await readWhole(wish, ask)) }
  const { model } = known
  for (let piece = 0; piece < MOST_PIECES; piece++) {
    const answer = await ask({ group: 'url', limit: wish.limit, since: model.version })
    growModel(model, answer)
    if (answer.nodes.length < wish.limit) break
  }
  return { model }
}

/** Urls while they fit and groups when they do not; but a single group says nothing, so then as many urls as fit. */
async function readWhole(wish: GraphWish, ask: Ask): Promise<GraphAnswer> {
  const { limit, group, around, under } = wish
  const query = { limit, ...(around === null ? {} : { around }), ...(under === null ? {} : { under }) }
  if (group !== 'auto' || around !== null) return ask({ ...query, group })
  const askGroups = () => ask({ ...query, group: 'path', limit: Math.min(limit, MAX_GROUPS) })
  if (under === null) {
    const answer = await (wish.isLarge ? askGroups() : ask({ ...query, group }))
    return answer.group === 'url' || answer.nodes.length > 1 ? answer : ask({ ...query, group: 'url', by: 'rank' })
  }
  const urls = await ask({ ...query, group: 'url' })
  if (urls.is_complete || urls.nodes.length < limit) return urls
  const groups = await askGroups()
  return groups.nodes.length > 1 ? groups : urls
}

function canGrow(model: GraphModel, wish: GraphWish): boolean {
  if (model.group !== 'url' || wish.around !== null || wish.under !== null) return false
  // Once there are too many to be drawn one by one, the server is asked for groups.
  return wish.group === 'url' || model.totalNodes <= wish.limit
}
