// Draws the groups of a graph as circles in circles, with their states as rings and the links between them. It owns its
// canvas and camera; the scene passes it a model and gets selection events. A canvas without WebGL: there are a few
// hundred circles at most, whatever the size of the crawl.

import { type ColourChoice, type ColourScale, makeColourScale } from '../colour-scale.ts'
import { type DrawnEdge, type EdgeChoice, MAX_GROUP_EDGES, selectDrawnEdges } from '../drawn-edges.ts'
import type { GraphModel } from '../graph-model.ts'
import type { GraphViewEvents } from '../graph-view.ts'
import { boxesOver, LabelBoxes, overlap } from '../label-boxes.ts'
import { type Palette, readPalette } from '../palette.ts'
import { type Camera, CanvasCamera, type PlaneBox } from './camera.ts'
import { type Circle, packCircles } from './circles.ts'
import { drawCircleLabels, drawEdges, drawFolders, drawNodes, type MapPicture } from './draw-map.ts'

const RADIUS = 1000
const DOUBLE_CLICK_MS = 250
/** A closed group that fills this share of the view is opened. */
const OPEN_SHARE = 0.55
/**
 * Margin that is drawn beyond each side of the view, as a share of its size: a drag can move the picture this far
 * without a redraw.
 */
const MARGIN = 0.25
/** Time after the last movement of a drag. */
const REST_MS = 120

export class MapView {
  readonly #container: HTMLElement
  /** Has the size of the view; the canvas is larger. */
  readonly #stage: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  readonly #camera: CanvasCamera
  readonly #events: GraphViewEvents
  readonly #resizing: ResizeObserver
  readonly #labelBoxes = new LabelBoxes()
  readonly #controlBoxes = new LabelBoxes()
  #palette: Palette
  #circles: Circle[] = []
  #byId = new Map<string, Circle>()
  #edges: DrawnEdge[] = []
  #scale: ColourScale | null = null
  #selected: string | null = null
  #hovered: string | null = null
  #clickTimer = 0
  #restTimer = 0
  #frame = 0
  /** The camera for which the picture was drawn. */
  #drawnFor: Camera = { x: 0, y: 0, scale: 0 }

  constructor(container: HTMLElement, events: GraphViewEvents) {
    this.#container = container
    this.#events = events
    this.#palette = readPalette(container.ownerDocument.documentElement)
    this.#canvas = container.ownerDocument.createElement('canvas')
    const context = this.#canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    this.#context = context
    this.#stage = container.ownerDocument.createElement('div')
    const stageStyle = { position: 'relative', overflow: 'hidden', width: '100%', height: '100%', touchAction: 'none' }
    Object.assign(this.#stage.style, stageStyle)
    const [share, start] = [`${(1 + 2 * MARGIN) * 100}%`, `${-MARGIN * 100}%`]
    const place = { position: 'absolute', pointerEvents: 'none', width: share, height: share, left: start, top: start }
    Object.assign(this.#canvas.style, place)
    this.#stage.append(this.#canvas)
    container.append(this.#stage)
    this.#camera = new CanvasCamera(this.#stage, {
      onChange: () => this.#move(),
      onHover: (x, y) => this.#hover(x, y),
      onClick: (x, y) => this.#click(x, y),
      onDoubleClick: (x, y) => this.#open(this.#nodeAt(x, y)),
      onZoomedIn: () => this.#openZoomed(),
    })
    this.#resizing = new ResizeObserver(() => this.#resize())
    this.#resizing.observe(container)
  }

  show(model: GraphModel, colour: ColourChoice, edges: EdgeChoice): ColourScale {
    this.#scale = makeColourScale(model.nodes.values(), colour)
    this.#circles = packCircles(model.nodes.values(), RADIUS)
    // A group that is a folder with its parts now.
    const opened = this.#circles.find(({ id, node }) => node === null && (this.#byId.get(id)?.node ?? null) !== null)
    this.#byId = new Map(this.#circles.map((circle) => [circle.id, circle]))
    this.#edges = selectDrawnEdges(model, edges, MAX_GROUP_EDGES)
    this.#resize()
    if (opened !== undefined) this.#camera.showBox(boxOf(opened, 1))
    this.#events.onSettled(true)
    return this.#scale
  }

  select(id: string | null): void {
    this.#selected = id
    this.#draw()
  }

  centreOn(id: string): void {
    const circle = this.#byId.get(id)
    if (circle !== undefined) this.#camera.showBox(boxOf(circle, 3))
  }

  fit(): void {
    this.#camera.fit()
  }

  zoom(factor: number): void {
    this.#camera.zoom(factor)
  }

  pan(x: number, y: number): void {
    this.#camera.pan(x, y)
  }

  applyTheme(): void {
    this.#palette = readPalette(this.#container.ownerDocument.documentElement)
    this.#draw()
  }

  close(): void {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#clickTimer)
    clearTimeout(this.#restTimer)
    this.#resizing.disconnect()
    this.#camera.close()
    this.#stage.remove()
  }

  /** The next and the previous group in order of size, for the keyboard. Without a selection, the first and the last. */
  neighbour(step: 1 | -1): string | null {
    const nodes = this.#circles.filter(({ node }) => node !== null).sort((a, b) => b.urls - a.urls)
    const at = nodes.findIndex(({ id }) => id === this.#selected)
    return nodes.at(at === -1 ? Math.min(step, 0) : (at + step) % nodes.length)?.id ?? null
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#container
    const density = window.devicePixelRatio
    this.#canvas.width = clientWidth * (1 + 2 * MARGIN) * density
    this.#canvas.height = clientHeight * (1 + 2 * MARGIN) * density
    this.#camera.setWhole(this.#bounds())
    this.#draw()
  }

  /** The bounds of the drawn circles, not of the circle around them, which two hosts do not fill. */
  #bounds(): PlaneBox {
    const edges = this.#circles.flatMap(({ x, y, r }) => [
      [x - r, y - r],
      [x + r, y + r],
    ])
    const [xs, ys] = [edges.map(([x = 0]) => x), edges.map(([, y = 0]) => y)]
    if (xs.length === 0) return { x: 0, y: 0, width: RADIUS, height: RADIUS }
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top }
  }

  #nodeAt(x: number, y: number): string | null {
    const at = this.#camera.toPlane(x, y)
    const hit = this.#circles.findLast((circle) => Math.hypot(circle.x - at.x, circle.y - at.y) <= circle.r)
    return hit?.node === null ? null : (hit?.id ?? null)
  }

  #hover(x: number, y: number): void {
    const id = x < 0 ? null : this.#nodeAt(x, y)
    if (id === this.#hovered) return
    this.#hovered = id
    this.#stage.style.cursor = id === null ? 'grab' : 'pointer'
    this.#draw()
  }

  /** Selecting opens a panel, which would move the circle away from under a double-click. */
  #click(x: number, y: number): void {
    clearTimeout(this.#clickTimer)
    const id = this.#nodeAt(x, y)
    this.#clickTimer = window.setTimeout(() => this.#events.onSelect(id), DOUBLE_CLICK_MS)
  }

  #open(id: string | null): void {
    clearTimeout(this.#clickTimer)
    if (id !== null) this.#events.onOpen(id)
  }

  /** Level of detail by zoom: a group that fills the view shows its contents. */
  #openZoomed(): void {
    const { clientWidth, clientHeight } = this.#stage
    const id = this.#nodeAt(clientWidth / 2, clientHeight / 2)
    const circle = id === null ? undefined : this.#byId.get(id)
    if (circle?.node?.url_id !== null || circle === undefined) return
    if (circle.r * 2 * this.#camera.state.scale < Math.min(clientWidth, clientHeight) * OPEN_SHARE) return
    this.#events.onOpen(circle.id)
  }

  /** A drag moves the picture, since drawing it takes several frames without a graphics card. */
  #move(): void {
    const { x, y, scale } = this.#camera.state
    const [right, down] = [(this.#drawnFor.x - x) * scale, (this.#drawnFor.y - y) * scale]
    const { clientWidth, clientHeight } = this.#stage
    const isNear = Math.abs(right) <= clientWidth * MARGIN && Math.abs(down) <= clientHeight * MARGIN
    if (!this.#camera.isDragging || scale !== this.#drawnFor.scale || !isNear) return this.#draw()
    this.#canvas.style.transform = `translate(${right}px, ${down}px)`
    clearTimeout(this.#restTimer)
    this.#restTimer = window.setTimeout(() => this.#draw(), REST_MS)
  }

  #draw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#drawNow())
  }

  #drawNow(): void {
    this.#frame = 0
    const scale = this.#scale
    if (scale === null) return
    const { clientWidth: width, clientHeight: height } = this.#stage
    const context = this.#context
    const density = window.devicePixelRatio
    const share = 1 + 2 * MARGIN
    const area = { x: -MARGIN * width, y: -MARGIN * height, width: share * width, height: share * height }
    context.setTransform(density, 0, 0, density, -area.x * density, -area.y * density)
    context.clearRect(area.x, area.y, area.width, area.height)
    this.#canvas.style.transform = ''
    this.#drawnFor = this.#camera.state
    clearTimeout(this.#restTimer)
    this.#container.dataset['scale'] = this.#camera.state.scale.toFixed(4)
    const controls = boxesOver(this.#container, '[data-over-graph]')
    for (const boxes of [this.#labelBoxes, this.#controlBoxes]) boxes.reset({ width, height }, controls)
    const focus = this.#hovered ?? this.#selected
    const picture: MapPicture = {
      context,
      area,
      palette: this.#palette,
      font: getComputedStyle(this.#container).fontFamily,
      focus,
      selected: this.#selected,
      circles: this.#circles.flatMap((circle) => {
        const at = { ...circle, ...this.#camera.toScreen(circle), r: circle.r * this.#camera.state.scale }
        return overlap(area, { x: at.x - at.r, y: at.y - at.r, width: 2 * at.r, height: 2 * at.r }) ? [at] : []
      }),
      partsOf: scale.partsOf,
    }
    drawFolders(picture)
    drawEdges(picture, this.#edges, (id) => {
      const circle = this.#byId.get(id)
      return circle === undefined ? null : { ...this.#camera.toScreen(circle), r: circle.r * this.#camera.state.scale }
    })
    drawNodes(picture)
    drawCircleLabels(picture, this.#labelBoxes, this.#controlBoxes)
  }
}

function boxOf({ x, y, r }: Circle, factor: number): PlaneBox {
  return { x, y, width: 2 * r * factor, height: 2 * r * factor }
}
