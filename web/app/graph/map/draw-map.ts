// Draws one frame of the map of groups: folders, rings, links, labels.

import { formatShort } from '../../text/format.ts'
import { type ColourPart, mainColour } from '../colour-scale.ts'
import type { DrawnEdge } from '../drawn-edges.ts'
import type { GraphNode } from '../graph-model.ts'
import { type Box, boxesOf, type LabelBoxes, overlap } from '../label-boxes.ts'
import type { Palette } from '../palette.ts'
import { type Circle, OWN_NAME } from './circles.ts'

export interface MapPicture {
  context: CanvasRenderingContext2D
  /** The drawn area: the view and a margin around it. */
  area: Box
  palette: Palette
  font: string
  /** The hovered or else the selected node. */
  focus: string | null
  selected: string | null
  /** Circles in pixels. */
  circles: readonly Circle[]
  partsOf(node: GraphNode): ColourPart[]
}

/** Smaller circles are discs of one colour. */
const MIN_RING = 7
const MIN_LABELLED = 6
const MIN_LABELLED_FOLDER = 34
/** Larger circles are not covered by labels. */
const MIN_BLOCKING = 3
const MIN_INSIDE = 18
/** Smaller circles have no room for a line. */
const MIN_COUNTED = 9
/** A shortened name has room for seven letters or so. */
const MIN_INSIDE_SHORT = 30
const LABEL_PX = 11
const LINE_PX = 14
/** Width of a ring, as a share of the radius. */
const RING = 0.25
const MAX_RING_PX = 9

export function drawFolders(picture: MapPicture): void {
  for (const circle of picture.circles) if (circle.node === null) drawFolder(picture, circle)
}

export function drawNodes(picture: MapPicture): void {
  const { context, palette } = picture
  for (const circle of picture.circles) {
    if (circle.node !== null) drawNode(picture, circle, picture.partsOf(circle.node))
  }
  const selected = picture.circles.find(({ id }) => id === picture.selected)
  if (selected === undefined) return
  context.strokeStyle = palette.ink
  context.lineWidth = 2
  circlePath(context, selected, 2)
  context.stroke()
}

function drawFolder({ context, palette }: MapPicture, circle: Circle): void {
  context.fillStyle = palette.folder
  context.strokeStyle = palette.folderLine
  context.lineWidth = 1
  circlePath(context, circle)
  context.fill()
  context.stroke()
}

function drawNode({ context, palette }: MapPicture, circle: Circle, parts: ColourPart[]): void {
  const isUrl = circle.node?.url_id !== null
  if (isUrl || circle.r < MIN_RING) {
    context.fillStyle = palette.colour(mainColour(parts))
    circlePath(context, { ...circle, r: Math.max(1.2, circle.r) })
    return context.fill()
  }
  const ring = Math.min(circle.r * RING, MAX_RING_PX)
  context.fillStyle = palette.surface
  circlePath(context, circle)
  context.fill()
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  context.lineWidth = ring
  let from = -Math.PI / 2
  for (const { colour, count } of parts) {
    const to = from + (2 * Math.PI * count) / total
    context.strokeStyle = palette.colour(colour)
    context.beginPath()
    context.arc(circle.x, circle.y, circle.r - ring / 2, from, to)
    context.stroke()
    from = to
  }
}

/** If a node is focused, draws only its edges. */
export function drawEdges(
  { context, palette, focus, area }: MapPicture,
  edges: readonly DrawnEdge[],
  locate: (id: string) => { x: number; y: number; r: number } | null,
): void {
  const near = focus === null ? edges : edges.filter(({ from, to }) => from === focus || to === focus)
  const most = edges.reduce((max, { links }) => Math.max(max, links), 1)
  context.strokeStyle = near === edges ? palette.mapLink : palette.near
  for (const { from, to, links } of near) {
    const [a, b] = [locate(from), locate(to)]
    if (a === null || b === null) continue
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const length = Math.hypot(dx, dy)
    if (length < a.r + b.r) continue
    const box = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(dx), height: Math.abs(dy) }
    if (!overlap(area, box)) continue
    const [ux, uy] = [dx / length, dy / length]
    // Bent, so that links in both directions are two lines.
    const bend = length * 0.12
    context.lineWidth = 0.6 + 2.4 * (Math.log1p(links) / Math.log1p(most))
    context.beginPath()
    context.moveTo(a.x + ux * a.r, a.y + uy * a.r)
    context.quadraticCurveTo((a.x + b.x) / 2 - uy * bend, (a.y + b.y) / 2 + ux * bend, b.x - ux * b.r, b.y - uy * b.r)
    context.stroke()
  }
}

interface Label {
  circle: Circle
  lines: string[]
  size: { width: number; height: number }
  places: { x: number; y: number }[]
}

/**
 * Names inside large groups first, then the focused node, folders and large circles. Last, groups that have no room beside
 * them get a shortened name inside, and the others their number. Labels cover no circle.
 */
export function drawCircleLabels(picture: MapPicture, labelBoxes: LabelBoxes, controls: LabelBoxes): void {
  const { context, circles, focus } = picture
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  const rank = (circle: Circle) => (circle.id === focus ? Number.POSITIVE_INFINITY : circle.r)
  const sorted = circles.toSorted((a, b) => rank(b) - rank(a))
  const named = new Set<Circle>()
  const filled = new Set<Circle>()
  const drawIn = (circle: Circle, boxes: LabelBoxes, toName: (room: number) => string[]): void => {
    const label = filled.has(circle) ? null : insideLabel(picture, circle, toName)
    const box = label === null ? null : boxes.place(label.size, label.places)
    if (label === null || box === null) return
    filled.add(circle)
    drawLabel(picture, label, box)
  }
  for (const circle of sorted) if (circle.r >= MIN_INSIDE) drawIn(circle, labelBoxes, () => [circle.name])
  for (const circle of circles) {
    if (circle.node !== null && circle.r > MIN_BLOCKING) for (const box of boxesOf(circle)) labelBoxes.add(box)
  }
  for (const circle of sorted) {
    const least = circle.node === null ? MIN_LABELLED_FOLDER : MIN_LABELLED
    if (filled.has(circle) || (circle.id !== focus && circle.r < least)) continue
    const label = outsideLabel(picture, circle)
    // The name of the node under the pointer is always there.
    const box =
      labelBoxes.place(label.size, label.places) ??
      (circle.id === focus ? { ...label.size, ...(label.places[0] ?? circle) } : null)
    if (box === null) continue
    named.add(circle)
    drawLabel(picture, label, box)
  }
  // Inside a circle nothing else is in the way but the controls.
  for (const circle of sorted) {
    // Around its own circle is the folder itself.
    const hasName = named.has(circle) || circle.r < MIN_INSIDE_SHORT || circle.name === OWN_NAME
    drawIn(circle, controls, (room) => (hasName ? [] : [fitText(context, circle.name, room)]))
  }
}

/** A closed group has its name and number inside if they fit. */
function insideLabel({ context, font }: MapPicture, circle: Circle, toName: (room: number) => string[]): Label | null {
  const { x, y, r } = circle
  if (circle.node === null || circle.node.url_id !== null || r < MIN_COUNTED) return null
  context.font = labelFont(font, false)
  const room = (r - Math.min(r * RING, MAX_RING_PX)) * 1.75
  const lines = [...toName(room), formatShort(circle.urls)]
  const width = Math.max(...lines.map((line) => context.measureText(line).width))
  if (width > room) return null
  const size = { width, height: lines.length * LINE_PX }
  return { circle, lines, size, places: [{ x: x - width / 2, y: y - size.height / 2 }] }
}

/** A folder has its name on its border, others below or above. */
function outsideLabel({ context, font, focus }: MapPicture, circle: Circle): Label {
  const { x, y, r } = circle
  const isFolder = circle.node === null
  context.font = labelFont(font, isFolder)
  const name = circle.id === focus ? shorten(circle.name, 60) : fitText(context, circle.name, Math.max(120, r * 1.6))
  const size = { width: context.measureText(name).width + 4, height: LINE_PX }
  const left = x - size.width / 2
  const places = isFolder
    ? [
        { x: left, y: y - r - LINE_PX / 2 },
        { x: left, y: y + r - LINE_PX / 2 },
        { x: left, y: y - r - LINE_PX },
      ]
    : [
        { x: left, y: y + r + 1 },
        { x: left, y: y - r - LINE_PX - 1 },
        { x: x + r + 2, y: y - LINE_PX / 2 },
        { x: x - r - size.width - 2, y: y - LINE_PX / 2 },
      ]
  return { circle, lines: [name], size, places }
}

function drawLabel({ context, palette, font, focus }: MapPicture, label: Label, box: { x: number; y: number }): void {
  const { circle, lines, size } = label
  const isFolder = circle.node === null
  if (isFolder || circle.id === focus) {
    context.fillStyle = palette.surface
    context.beginPath()
    context.roundRect(box.x, box.y, size.width, size.height, 3)
    context.fill()
  }
  context.font = labelFont(font, isFolder)
  lines.forEach((line, i) => {
    context.fillStyle = isFolder || i > 0 ? palette.muted : palette.ink
    context.fillText(line, box.x + size.width / 2, box.y + LINE_PX * (i + 0.5))
  })
}

function labelFont(font: string, isFolder: boolean): string {
  return `${isFolder ? 600 : 500} ${LABEL_PX}px ${font}`
}

function fitText(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text
  for (let length = Math.min(text.length - 1, 40); length > 3; length--) {
    const short = shorten(text, length)
    if (context.measureText(short).width <= room) return short
  }
  return shorten(text, 4)
}

/** Cut in the middle, since both ends of a name are informative. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const start = Math.ceil((length - 1) * 0.6)
  return `${text.slice(0, start)}…${text.slice(text.length - (length - 1 - start))}`
}

function circlePath(
  context: CanvasRenderingContext2D,
  { x, y, r }: { x: number; y: number; r: number },
  more = 0,
): void {
  context.beginPath()
  context.arc(x, y, r + more, 0, 2 * Math.PI)
}
