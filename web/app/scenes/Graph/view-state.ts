// The state of the graph view in the URL, so that a view can be shared.

import { COLOUR_CHOICES, type ColourChoice } from '../../graph/colour-scale.ts'
import { EDGE_CHOICES, type EdgeChoice } from '../../graph/drawn-edges.ts'
import type { GraphSelection } from '../../graph/read-graph.ts'

const VIEWS = ['graph', 'tree', 'treemap'] as const
/** What the area and the colour of a treemap show. */
export const AREAS = ['urls', 'bytes'] as const
export const SHADES = ['state', 'time'] as const
export const GROUPS = ['auto', 'url', 'path', 'host'] as const
/** Choices for the maximum number of URLs; with more, the graph shows groups. */
export const LIMITS = [500, 1000, 3000, 10_000, 50_000] as const
const DEFAULT_LIMIT = 500
/** Refresh intervals of a live graph (UI-04: 1 to 10 seconds, default 3). */
export const INTERVALS_S = [1, 2, 3, 5, 10] as const
const DEFAULT_INTERVAL_S = 3

export interface GraphViewState extends Omit<GraphSelection, 'isLarge'> {
  view: (typeof VIEWS)[number]
  colour: ColourChoice
  edges: EdgeChoice
  area: (typeof AREAS)[number]
  shade: (typeof SHADES)[number]
  everyS: number
  /** The selected node. */
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
    open: params.get('open')?.split(' ').filter(Boolean) ?? [],
    area: oneOf(AREAS, params.get('area'), 'urls'),
    shade: oneOf(SHADES, params.get('shade'), 'state'),
    node: params.get('node'),
  }
}

/** Writes only values that differ from their defaults. */
export function writeViewState(viewState: GraphViewState): URLSearchParams {
  const params = new URLSearchParams()
  const defaults = readViewState(params)
  const put = (name: string, value: string | number | null, fallback: string | number | null): void => {
    if (value !== null && value !== fallback) params.set(name, String(value))
  }
  put('view', viewState.view, defaults.view)
  put('group', viewState.group, defaults.group)
  put('under', viewState.under, null)
  put('open', viewState.open.join(' '), '')
  put('around', viewState.around, null)
  put('node', viewState.node, null)
  put('colour', viewState.colour, defaults.colour)
  put('edges', viewState.edges, defaults.edges)
  put('area', viewState.area, defaults.area)
  put('shade', viewState.shade, defaults.shade)
  put('limit', viewState.limit, defaults.limit)
  put('every', viewState.everyS, defaults.everyS)
  return params
}

function oneOf<T>(choices: readonly T[], value: unknown, fallback: T): T {
  return choices.find((choice) => choice === value) ?? fallback
}

function wholeNumber(text: string | null): number | null {
  const value = Number(text)
  return text !== null && Number.isInteger(value) && value > 0 ? value : null
}
