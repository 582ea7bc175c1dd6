// Draws the groups of a graph as circles in circles, with their states as rings and the links between them. It owns its
// canvas and camera; the scene passes it a model and gets selection events. A canvas without WebGL: there are a few
// hundred circles at most, whatever the size of the crawl.

import { type ColourChoice, type ColourScale, makeColourScale } from '../colour-scale.ts'
import { type DrawnEdge, type EdgeChoice, MAX_GROUP_EDGES, selectDrawnEdges } from '../drawn-edges.ts'
import type { GraphModel } from '../graph-model.ts'
import type { GraphViewEvents } from '../graph-view.ts'
import { boxesOver, LabelBoxes } from '../label-boxes.ts'
import { type Palette, readPalette } from '../palette.ts'
import { CanvasCamera, type PlaneBox } from './camera.ts'
import { type Circle, packCircles } from './circles.ts'
import { drawCircleLabels, drawEdges, drawFolders, drawNodes, type MapPicture } from './draw-map.ts'

const RADIUS = 1000
const DOUBLE_CLICK_MS = 250
/** A closed group that fills this share of the view is opened. */
const OPEN_SHARE = 0.55

export class MapView {
  readonly #container: HTMLElement
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  readonly #camera: CanvasCamera
  readonly #events: GraphViewEvents
  readonly #resizing: ResizeObserver
  readonly #labelBoxes = new LabelBoxes()
  #palette: Palette
  #circles: Circle[] = []
  #byId = new Map<string, Circle>()
  #edges: DrawnEdge[] = []
  #scale: ColourScale | null = null
  #selected: string | null = null
  #hovered: string | null = null
  #clickTimer = 0
  #frame = 0

  constructor(container: HTMLElement, events: GraphViewEvents) {
    this.#container = container
    this.#events = events
    this.#palette = readPalette(container.ownerDocument.documentElement)
    this.#canvas = container.ownerDocument.createElement('canvas')
    const context = this.#canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    this.#context = context
    Object.assign(this.#canvas.style, { display: 'block', width: '100%', height: '100%', touchAction: 'none' })
    container.append(this.#canvas)
    this.#camera = new CanvasCamera(this.#canvas, {
      onChange: () => this.#draw(),
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
    this.#resizing.disconnect()
    this.#camera.close()
    this.#canvas.remove()
  }

  /** The next and the previous group in order of size, for the keyboard. */
  neighbour(step: 1 | -1): string | null {
    const nodes = this.#circles.filter(({ node }) => node !== null).sort((a, b) => b.urls - a.urls)
    const at = nodes.findIndex(({ id }) => id === this.#selected)
    return nodes.at((at + step + nodes.length) % nodes.length)?.id ?? null
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#container
    const density = window.devicePixelRatio
    this.#canvas.width = clientWidth * density
    this.#canvas.height = clientHeight * density
    this.#camera.setWhole(this.#bounds())
    this.#draw()
  }

  /** What there is, not the circle around it: two hosts do not fill one. */
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
    this.#canvas.style.cursor = id === null ? 'grab' : 'pointer'
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

  /** Level of detail by zoom: a group that fills the view shows what is in it. */
  #openZoomed(): void {
    const { clientWidth, clientHeight } = this.#canvas
    const id = this.#nodeAt(clientWidth / 2, clientHeight / 2)
    const circle = id === null ? undefined : this.#byId.get(id)
    if (circle?.node?.url_id !== null || circle === undefined) return
    if (circle.r * 2 * this.#camera.state.scale < Math.min(clientWidth, clientHeight) * OPEN_SHARE) return
    this.#events.onOpen(circle.id)
  }

  #draw(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#drawNow())
  }

  #drawNow(): void {
    this.#frame = 0
    const scale = this.#scale
    if (scale === null) return
    const { clientWidth: width, clientHeight: height } = this.#canvas
    const context = this.#context
    const density = window.devicePixelRatio
    context.setTransform(density, 0, 0, density, 0, 0)
    context.clearRect(0, 0, width, height)
    this.#container.dataset['scale'] = this.#camera.state.scale.toFixed(4)
    this.#labelBoxes.reset({ width, height }, boxesOver(this.#container, '[data-over-graph]'))
    const focus = this.#hovered ?? this.#selected
    const picture: MapPicture = {
      context,
      width,
      height,
      palette: this.#palette,
      font: getComputedStyle(this.#container).fontFamily,
      focus,
      selected: this.#selected,
      circles: this.#circles.flatMap((circle) => {
        const at = { ...circle, ...this.#camera.toScreen(circle), r: circle.r * this.#camera.state.scale }
        const isVisible = at.x + at.r > 0 && at.x - at.r < width && at.y + at.r > 0 && at.y - at.r < height
        return isVisible ? [at] : []
      }),
      partsOf: scale.partsOf,
    }
    drawFolders(picture)
    drawEdges(picture, this.#edges, (id) => {
      const circle = this.#byId.get(id)
      return circle === undefined ? null : { ...this.#camera.toScreen(circle), r: circle.r * this.#camera.state.scale }
    })
    drawNodes(picture)
    drawCircleLabels(picture, this.#labelBoxes)
  }
}

function boxOf({ x, y, r }: Circle, factor: number): PlaneBox {
  return { x, y, width: 2 * r * factor, height: 2 * r * factor }
}
