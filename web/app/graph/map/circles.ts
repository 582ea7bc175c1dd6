// The groups of a graph as circles in circles, by their paths. The circle of a folder depends only on its number of
// URLs, and its parts are packed into it: opening a folder moves nothing outside it.

import { packEnclose, packSiblings } from 'd3-hierarchy'
import { decodeText } from '../../text/format.ts'
import type { GraphNode } from '../graph-model.ts'

export interface Circle {
  id: string
  /** Node of a group or URL; null for a folder whose contents are drawn in it. */
  node: GraphNode | null
  /** Name within the enclosing folder. */
  name: string
  urls: number
  x: number
  y: number
  r: number
}

interface Part {
  path: string
  name: string
  node: GraphNode | null
  urls: number
  parts: Map<string, Part>
}

/** The share of a folder's circle that its parts fill. The rest is for its name and the border. */
const FILL = 0.92
/** Circles do not touch. */
const GAP = 0.06
/** Area grows slower than the number of URLs, or one large folder would hide all others. */
const POWER = 0.35

/** Folders come before their contents. */
export function packCircles(nodes: Iterable<GraphNode>, radius: number): Circle[] {
  const root: Part = { path: '', name: '', node: null, urls: 0, parts: new Map() }
  for (const node of nodes) addNode(root, node)
  const circles: Circle[] = []
  // A single host around everything would say nothing.
  const joined = joinChains(root)
  const [only] = joined.parts.values()
  const top = joined.parts.size === 1 && only !== undefined && only.parts.size > 0 ? only : joined
  packParts([...top.parts.values()], { x: 0, y: 0, r: radius }, circles)
  return circles
}

/** The URLs directly in a folder. */
export const OWN_NAME = '(this folder)'

/** Host, folders and name of a label. */
function splitLabel({ label, url_id }: GraphNode): string[] {
  const text = label.replace(/^https?:\/\//, '')
  const [path = '', ...query] = text.split('?')
  const steps = path.split('/')
  if (url_id === null) return toNames(steps)
  const name = (steps.pop() ?? '') + (query.length === 0 ? '' : `?${query.join('?')}`)
  return [...steps.filter((step) => step !== ''), name === '' ? OWN_NAME : name]
}

/** `x//…` are the URLs of a folder that have no circles, `x/…` its folders. */
function toNames(steps: string[]): string[] {
  const names = steps.filter((step, i) => step !== '' || i === steps.length - 1)
  return names.map((step) => (step === '' ? OWN_NAME : step === '…' ? 'others' : step))
}

function addNode(root: Part, node: GraphNode): void {
  let at = root
  const steps = splitLabel(node)
  for (const [i, name] of steps.entries()) {
    const isLast = i === steps.length - 1
    // A URL and a folder may have the same name.
    const key = isLast ? `${name} ${node.id}` : name
    const next = at.parts.get(key) ?? {
      path: at.path === '' ? name : `${at.path}/${name}`,
      name,
      node: isLast ? node : null,
      urls: 0,
      parts: new Map(),
    }
    at.parts.set(key, next)
    next.urls += node.urls
    at = next
  }
}

/** A folder with nothing but one folder in it becomes one part with a longer name. */
function joinChains(part: Part): Part {
  const parts = [...part.parts].map(([key, child]): [string, Part] => [key, joinChains(child)])
  const [only] = parts
  if (parts.length === 1 && only !== undefined && part.name !== '') {
    const [, child] = only
    return { ...child, name: child.name === OWN_NAME ? part.name : `${part.name}/${child.name}` }
  }
  return { ...part, parts: new Map(parts) }
}

function packParts(parts: Part[], into: { x: number; y: number; r: number }, circles: Circle[]): void {
  const sized = parts
    .map((part) => ({ part, x: 0, y: 0, r: part.urls ** POWER * (1 + GAP) }))
    .sort((a, b) => b.r - a.r || (a.part.path < b.part.path ? -1 : 1))
  packSiblings(sized)
  const around = packEnclose(sized)
  const scale = (into.r * FILL) / Math.max(around.r, 1e-9)
  for (const { part, x, y, r } of sized) {
    const circle = {
      x: into.x + (x - around.x) * scale,
      y: into.y + (y - around.y) * scale,
      r: (r * scale) / (1 + GAP),
    }
    circles.push({
      id: part.node?.id ?? part.path,
      node: part.node,
      name: decodeText(part.name),
      urls: part.urls,
      ...circle,
    })
    if (part.parts.size > 0) packParts([...part.parts.values()], circle, circles)
  }
}
