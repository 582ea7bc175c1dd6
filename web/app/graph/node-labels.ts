// Labels of nodes: their text, position and drawing.

import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering'
import { decodeText } from '../text/format.ts'
import type { GraphNode } from './graph-model.ts'
import type { LabelBoxes } from './label-boxes.ts'
import type { EdgeAttributes, NodeAttributes } from './node-attributes.ts'
import type { Palette } from './palette.ts'

const MAX_LABEL_LENGTH = 44
const LABEL_GAP = 4
const MAIN_SHARE = 0.9

/** The host of nearly all nodes, if any. Labels leave it out. */
export function findMainHost(nodes: Iterable<GraphNode>): string | null {
  const counts = Map.groupBy(nodes, ({ host }) => host)
  const [main] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  const total = counts.values().reduce((sum, { length }) => sum + length, 0)
  return main !== undefined && main[1].length >= total * MAIN_SHARE ? main[0] : null
}

/** Drops the scheme and the shared host, and cuts in the middle, since both ends of a URL are informative. */
export function shortenLabel(label: string, host: string | null): string {
  const withoutScheme = decodeText(label.replace(/^https?:\/\//, ''))
  const short = host !== null && withoutScheme.startsWith(`${host}/`) ? withoutScheme.slice(host.length) : withoutScheme
  if (short.length <= MAX_LABEL_LENGTH) return short
  return `${short.slice(0, 18)}…${short.slice(short.length - MAX_LABEL_LENGTH + 19)}`
}

/** Left edge of a label: right of its node, or left of it if it would be cut off and there is room. */
function labelX({ x, size }: { x: number; size: number }, width: number, stageWidth: number): number {
  const [right, left] = [x + size + LABEL_GAP, x - size - LABEL_GAP - width]
  return right + width > stageWidth && left >= 0 ? left : right
}

/** Width in CSS pixels; a canvas has more pixels on high-density screens. */
function canvasWidth(context: CanvasRenderingContext2D): number {
  return context.canvas.width / context.getTransform().a
}

/** A label beside its node, or above or below it. Left out if there is no room. */
export function makeLabelDrawer(labelBoxes: LabelBoxes): NodeLabelDrawingFunction<NodeAttributes, EdgeAttributes> {
  return (context, data, settings) => {
    if (typeof data.label !== 'string' || data.label === '') return
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`
    const size = { width: context.measureText(data.label).width, height: settings.labelSize + 3 }
    const [middle, left] = [data.y - size.height / 2, data.x - size.width / 2]
    const box = labelBoxes.place(size, [
      { x: data.x + data.size + LABEL_GAP, y: middle },
      { x: data.x - data.size - LABEL_GAP - size.width, y: middle },
      { x: left, y: data.y + data.size + 2 },
      { x: left, y: data.y - data.size - 2 - size.height },
    ])
    if (box === null) return
    context.fillStyle = settings.labelColor.color ?? ''
    context.fillText(data.label, box.x, box.y + settings.labelSize)
  }
}

/** Draws the label of the hovered node on a background. */
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
