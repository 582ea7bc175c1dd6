// What the graph shows stands in the address, so that a view can be sent to somebody.

import { COLOUR_CHOICES, type ColourChoice } from '../../graph/colour-scale.ts'
import { EDGE_CHOICES, type EdgeChoice } from '../../graph/drawn-edges.ts'
import type { GraphSelection } from '../../graph/read-graph.ts'

export const VIEWS = ['graph', 'tree'] as const
export const GROUPS = ['auto', 'url', 'path', 'host'] as const
/** How many nodes at most; beyond it urls are grouped. */
export const LIMITS = [1000, 3000, 10_000, 50_000] as const
export const DEFAULT_LIMIT = 3000
/** UI-04: every 1 to 10 seconds, 3 by default. */
export const INTERVALS_S = [1, 2, 3, 5, 10] as const
export const DEFAULT_INTERVAL_S = 3

export interface GraphViewState extends Omit<GraphSelection, 'isLarge'> {
  view: (typeof VIEWS)[number]
  colour: ColourChoice
  edges: EdgeChoice
  everyS: number
  /** The chosen node. */
  node: string | null
}

export function readViewState(params: URLSearchParams): GraphViewState {
  return {
    view: oneOf(VIEWS, params.get('view'), 'graph'),
    group: oneOf(GROUPS, params.get('group'), 'auto'),
    colour: oneOf(COLOUR_CHOICES, params.get('colour'), 'state'),
    edges: oneOf(EDGE_CHOICES, params.get('edges'), 'lineage'),
    limit: oneOf(LIMITS, Number(params.get('limit')), DEFAULT_LIMIT),
    everyS: oneOf(INTERVALS_S, Number(params.get('every')), DEFAULT_INTERVAL_S),
    around: wholeNumber(params.get('around')),
    under: params.get('under'),
    node: params.get('node'),
  }
}

/** Only what differs from the defaults is written. */
export function writeViewState(place: GraphViewState): URLSearchParams {
  const params = new URLSearchParams()
  const usual = readViewState(params)
  const put = (name: string, value: string | number | null, plain: string | number | null): void => {
    if (value !== null && value !== plain) params.set(name, String(value))
  }
  put('view', place.view, usual.view)
  put('group', place.group, usual.group)
  put('under', place.under, null)
  put('around', place.around, null)
  put('node', place.node, null)
  put('colour', place.colour, usual.colour)
  put('edges', place.edges, usual.edges)
  put('limit', place.limit, usual.limit)
  put('every', place.everyS, usual.everyS)
  return params
}

function oneOf<T>(choices: readonly T[], value: unknown, usual: T): T {
  return choices.find((choice) => choice === value) ?? usual
}

function wholeNumber(text: string | null): number | null {
  const value = Number(text)
  return text !== null && Number.isInteger(value) && value > 0 ? value : null
}
