// Assigns a colour class to each node; the palette maps classes to colours by theme. Legend and canvas use the same
// scale.

import { URL_STATE_STYLES } from '../text/states.ts'
import { lowerFirst } from '../text/words.ts'
import type { GraphNode } from './graph-model.ts'

type UrlState = NonNullable<GraphNode['state']>

export const COLOUR_CHOICES = ['state', 'host', 'depth'] as const
export type ColourChoice = (typeof COLOUR_CHOICES)[number]

/** Further hosts share one colour. */
export const HOST_COLOURS = 8
/** Deeper URLs share the last colour. */
export const DEPTH_COLOURS = 7

export interface LegendEntry {
  /** The class: state-visited, host-0, host-other, depth-3, depth-7-up. */
  colour: string
  label: string
  /** Number of nodes. */
  count: number
}

export interface ColourScale {
  colourOf(node: GraphNode): string
  legend: LegendEntry[]
}

export function makeColourScale(nodes: Iterable<GraphNode>, choice: ColourChoice): ColourScale {
  const all = [...nodes]
  const colourOf = chooseColour(all, choice)
  const legend = new Map<string, LegendEntry>()
  const mixed = new Set<string>()
  for (const node of all) {
    const colour = colourOf(node)
    if (isMixed(node)) mixed.add(colour)
    const entry = legend.get(colour)
    if (entry !== undefined) entry.count += 1
    else legend.set(colour, { colour, label: labelOf(node, colour, choice), count: 1 })
  }
  if (choice === 'state') {
    for (const entry of legend.values()) if (mixed.has(entry.colour)) entry.label = `Mostly ${lowerFirst(entry.label)}`
  }
  return { colourOf, legend: sortLegend([...legend.values()], choice) }
}

function chooseColour(nodes: GraphNode[], choice: ColourChoice): (node: GraphNode) => string {
  if (choice === 'state') return (node) => `state-${mainState(node)}`
  if (choice === 'depth') {
    return (node) => (node.depth >= DEPTH_COLOURS ? `depth-${DEPTH_COLOURS}-up` : `depth-${node.depth}`)
  }
  const ranks = rankHosts(nodes)
  return (node) => {
    const rank = ranks.get(node.host) ?? HOST_COLOURS
    return rank < HOST_COLOURS ? `host-${rank}` : 'host-other'
  }
}

/** The state of a URL, or the most common state of a group. */
export function mainState({ state, states }: GraphNode): UrlState {
  if (state !== null) return state
  const counts = Object.entries(states ?? {}) as [UrlState, number][]
  return counts.reduce((most, next) => (next[1] > most[1] ? next : most), ['queued', 0])[0]
}

/** Whether the URLs of a group have different states. */
function isMixed({ states }: GraphNode): boolean {
  return Object.values(states ?? {}).filter((count) => count > 0).length > 1
}

/** Hosts with the most URLs first. Ties are broken by name, so colours are stable. */
function rankHosts(nodes: GraphNode[]): Map<string, number> {
  const urls = new Map<string, number>()
  for (const node of nodes) urls.set(node.host, (urls.get(node.host) ?? 0) + node.urls)
  const order = [...urls].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return new Map(order.map(([host], rank) => [host, rank]))
}

function labelOf(node: GraphNode, colour: string, choice: ColourChoice): string {
  switch (choice) {
    case 'state':
      return URL_STATE_STYLES[mainState(node)].label
    case 'host':
      return colour === 'host-other' ? 'Other hosts' : node.host
    case 'depth':
      return node.depth >= DEPTH_COLOURS ? `Depth ${DEPTH_COLOURS} or more` : `Depth ${node.depth}`
  }
}

function sortLegend(entries: LegendEntry[], choice: ColourChoice): LegendEntry[] {
  if (choice === 'state') return entries.sort((a, b) => b.count - a.count)
  return entries.sort((a, b) => a.colour.localeCompare(b.colour, 'en', { numeric: true }))
}
