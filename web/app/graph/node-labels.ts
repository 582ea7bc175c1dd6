// Names of nodes as they stand in the drawing, and how they are drawn.

import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering'
import type { GraphNode } from './graph-model.ts'
import type { EdgeAttributes, NodeAttributes } from './node-attributes.ts'
import type { Palette } from './palette.ts'

const MAX_LABEL_LENGTH = 44
const LABEL_GAP = 4

/** The host that all nodes have, which then says nothing in their labels. */
export function findSharedHost(nodes: Iterable<GraphNode>): string | null {
  const hosts = new Set<string>()
  for (const { host } of nodes) hosts.add(host)
  const [host = null] = hosts
  return hosts.size === 1 ? host : null
}

/** Without scheme and without the host that all have; cut in the middle, since both ends of an address tell most. */
export function shortenLabel(label: string, host: string | null): string {
  const whole = label.replace(/^https?:\/\//, '')
  const bare = host !== null && whole.startsWith(`${host}/`) ? whole.slice(host.length) : whole
  if (bare.length <= MAX_LABEL_LENGTH) return bare
  return `${bare.slice(0, 18)}…${bare.slice(bare.length - MAX_LABEL_LENGTH + 19)}`
}

/** Where a label begins: right of its node, or left of it where the picture would cut it and there is room. */
export function labelX({ x, size }: { x: number; size: number }, width: number, stageWidth: number): number {
  const [right, left] = [x + size + LABEL_GAP, x - size - LABEL_GAP - width]
  return right + width > stageWidth && left >= 0 ? left : right
}

/** A canvas has more points than its width has, on fine screens. */
function canvasWidth(context: CanvasRenderingContext2D): number {
  return context.canvas.width / context.getTransform().a
}

/** Labels of nodes that are not in sight are left out: they would stand beside nothing. */
export const drawLabel: NodeLabelDrawingFunction<NodeAttributes, EdgeAttributes> = (context, data, settings) => {
  const stage = canvasWidth(context)
  if (typeof data.label !== 'string' || data.x < 0 || data.x > stage) return
  context.fillStyle = settings.labelColor.color ?? ''
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`
  const x = labelX(data, context.measureText(data.label).width, stage)
  context.fillText(data.label, x, data.y + settings.labelSize / 3)
}

/** The label of the node under the pointer, on a plate of its own. */
export function makeHoverDrawer(palette: () => Palette): NodeHoverDrawingFunction<NodeAttributes, EdgeAttributes> {
  return (context, data, settings) => {
    if (typeof data.label !== 'string') return
    const { surface, line, ink } = palette()
    const size = settings.labelSize
    context.font = `${settings.labelWeight} ${size}px ${settings.labelFont}`
    const width = context.measureText(data.label).width + 12
    const x = labelX(data, width, canvasWidth(context))
    const y = data.y - size / 2 - 4
    context.fillStyle = surface
    context.strokeStyle = line
    context.beginPath()
    context.roundRect(x, y, width, size + 8, 4)
    context.fill()
    context.stroke()
    context.strokeStyle = ink
    context.lineWidth = 2
    context.beginPath()
    context.arc(data.x, data.y, data.size + 2, 0, Math.PI * 2)
    context.stroke()
    context.lineWidth = 1
    context.fillStyle = ink
    context.fillText(data.label, x + 6, data.y + size / 3)
  }
}
