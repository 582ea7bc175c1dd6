// Assigns colour classes to nodes; the palette maps classes to colours by theme. Legend and canvas use the same scale.

import { URL_STATE_ORDER, URL_STATE_STYLES } from '../text/states.ts'
import type { GraphNode } from './graph-model.ts'

type UrlState = NonNullable<GraphNode['state']>

export const COLOUR_CHOICES = ['state', 'host', 'depth'] as const
export type ColourChoice = (typeof COLOUR_CHOICES)[number]

/** Further hosts share one colour. */
export const HOST_COLOURS = 8
/** Greater depths share colours. */
export const DEPTH_COLOURS = 8

const LEFT_OUT = 'left-out'

export interface LegendEntry {
  /** The class: state-visited, state-left-out, host-0, host-other, depth-3. */
  colour: string
  label: string
  /** Number of URLs. */
  count: number
}

export interface ColourPart {
  colour: string
  /** Number of URLs. */
  count: number
}

export interface ColourScale {
  /** The colours of a node with their shares: several for a group by state. */
  partsOf(node: GraphNode): ColourPart[]
  legend: LegendEntry[]
}

interface ColourClasses {
  partsOf(node: GraphNode): ColourPart[]
  labelOf(colour: string): string
}

export function makeColourScale(nodes: Iterable<GraphNode>, choice: ColourChoice): ColourScale {
  const all = [...nodes]
  const { partsOf, labelOf } = makeClasses(all, choice)
  const counts = new Map<string, number>()
  for (const node of all) {
    for (const { colour, count } of partsOf(node)) counts.set(colour, (counts.get(colour) ?? 0) + count)
  }
  const legend = [...counts].map(([colour, count]) => ({ colour, label: labelOf(colour), count }))
  const byCount = (a: LegendEntry, b: LegendEntry) => b.count - a.count
  const byName = (a: LegendEntry, b: LegendEntry) => a.colour.localeCompare(b.colour, 'en', { numeric: true })
  return { partsOf, legend: legend.sort(choice === 'state' ? byCount : byName) }
}

/** The colour of the largest part. */
export function mainColour(parts: readonly ColourPart[]): string {
  return parts.reduce((most, next) => (next.count > most.count ? next : most), { colour: 'state-queued', count: 0 })
    .colour
}

function makeClasses(nodes: GraphNode[], choice: ColourChoice): ColourClasses {
  switch (choice) {
    case 'state':
      return { partsOf: stateParts, labelOf: (colour) => stateLabel(colour.replace('state-', '')) }
    case 'host':
      return hostClasses(nodes)
    case 'depth':
      return depthClasses(nodes)
  }
}

/** Parts in the order of the ledger bar. URLs that the crawl did not get to do not count as excluded. */
export function stateParts(node: Pick<GraphNode, 'state' | 'states' | 'left_out' | 'urls'>): ColourPart[] {
  const states: Partial<Record<UrlState, number>> =
    node.state === null ? (node.states ?? {}) : { [node.state]: node.urls }
  return URL_STATE_ORDER.flatMap((state): ColourPart[] => {
    const count = states[state] ?? 0
    const parts = [{ colour: `state-${state}`, count }]
    if (state === 'excluded') {
      parts[0] = { colour: 'state-excluded', count: count - node.left_out }
      parts.unshift({ colour: `state-${LEFT_OUT}`, count: node.left_out })
    }
    return parts.filter((part) => part.count > 0)
  })
}

function stateLabel(state: string): string {
  return state === LEFT_OUT ? 'Not visited before the crawl ended' : URL_STATE_STYLES[state as UrlState].label
}

/** Hosts with the most URLs first. Ties are broken by name, so colours are stable. */
function hostClasses(nodes: GraphNode[]): ColourClasses {
  const urls = new Map<string, number>()
  for (const node of nodes) urls.set(node.host, (urls.get(node.host) ?? 0) + node.urls)
  const order = [...urls].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([host]) => host)
  const colours = new Map(order.map((host, rank) => [host, rank < HOST_COLOURS ? `host-${rank}` : 'host-other']))
  return {
    partsOf: (node) => [{ colour: colours.get(node.host) ?? 'host-other', count: node.urls }],
    labelOf: (colour) => (colour === 'host-other' ? 'Other hosts' : (order[Number(colour.split('-')[1])] ?? '')),
  }
}

/** The colours are spread over the depths that occur. The depth of a group is that of its first page. */
function depthClasses(nodes: GraphNode[]): ColourClasses {
  const depths = [...new Set(nodes.map(({ depth }) => depth))].sort((a, b) => a - b)
  const bins = Math.min(depths.length, DEPTH_COLOURS)
  const binOf = new Map(depths.map((depth, i) => [depth, Math.floor((i * bins) / depths.length)]))
  const colourOf = (bin: number) => `depth-${bins === 1 ? 0 : Math.round((bin * (DEPTH_COLOURS - 1)) / (bins - 1))}`
  const ranges = new Map<string, number[]>()
  for (const [depth, bin] of binOf) ranges.set(colourOf(bin), [...(ranges.get(colourOf(bin)) ?? []), depth])
  const hasGroups = nodes.some((node) => node.url_id === null)
  return {
    partsOf: (node) => [{ colour: colourOf(binOf.get(node.depth) ?? 0), count: node.urls }],
    labelOf(colour) {
      const [first = 0, last = first] = [ranges.get(colour)?.at(0), ranges.get(colour)?.at(-1)]
      const range = first === last ? String(first) : `${first} to ${last}`
      return hasGroups ? `From depth ${range}` : `Depth ${range}`
    },
  }
}
