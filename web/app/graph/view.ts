// The drawing of a graph. It holds the canvas, the layout thread and the places of nodes; the scene tells it what to show
// and hears what is chosen. Made with its element, closed with it.

import Graph from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram, NodePointProgram } from 'sigma/rendering'
import { hideUnused, restWhileDragged, showPlates } from './calm.ts'
import { type ColourChoice, type ColourScale, colourScale } from './colour.ts'
import { type DrawnEdge, drawnEdges, type EdgeChoice, MAX_EDGES } from './edges.ts'
import { drawLabel, onlyHost, plateDrawer, shortLabel } from './label.ts'
import { type Layout, openLayout } from './layout.ts'
import type { EdgeLook, NodeLook } from './look.ts'
import { buildMatrices } from './matrices.ts'
import type { GraphModel } from './model.ts'
import { type Palette, readPalette } from './palette.ts'
import { type Place, placeNodes } from './place.ts'
import { sizeScale } from './size.ts'

/** With more edges than this the pointer lights nothing up: that draws everything anew. */
const LARGE = 4000
/** With more edges than this, moving the view leaves edges and labels out, so that it is smooth without a graphics card. */
const FEW_EDGES = 800
/** Of a node with no more neighbours than this all of them are named. */
const FEW_NAMES = 6
/** So many are seen around a node that is looked at. */
const FEW_NODES = 50

export interface ViewEvents {
  onChoose(id: string | null): void
  /** Twice clicked: go into it. */
  onOpen(id: string): void
  onSettled(isSettled: boolean): void
}

export class GraphView {
  readonly #graph = new Graph<NodeLook, EdgeLook>({ type: 'directed', multi: false, allowSelfLoops: false })
  readonly #sigma: Sigma<NodeLook, EdgeLook>
  readonly #layout: Layout
  readonly #root: HTMLElement
  #palette: Palette
  #chosen: string | null = null
  #hovered: string | null = null
  /** Stays in the middle while the layout moves it, until the view is moved by hand. */
  #followed: string | null = null
  #near = new Set<string>()

  constructor(container: HTMLElement, events: ViewEvents) {
    this.#root = container.ownerDocument.documentElement
    this.#palette = readPalette(this.#root)
    this.#sigma = new Sigma<NodeLook, EdgeLook>(this.#graph, container, {
      defaultEdgeType: 'line',
      edgeProgramClasses: { line: EdgeLineProgram },
      // One call draws all points. The usual circles are instances of one, which software draws one by one: with 3,000
      // nodes that took three times as long a frame, 2026-11.
      defaultNodeType: 'point',
      nodeProgramClasses: { point: NodePointProgram },
      labelFont: getComputedStyle(container).fontFamily,
      labelSize: 11,
      labelColor: { color: this.#palette.ink },
      labelDensity: 0.3,
      labelGridCellSize: 140,
      labelRenderedSizeThreshold: 4.5,
      defaultDrawNodeLabel: drawLabel,
      defaultDrawNodeHover: plateDrawer(() => this.#palette),
      hideEdgesOnMove: false,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      zIndex: true,
      allowInvalidContainer: true,
      nodeReducer: (id, node) => this.#drawNode(id, node),
      edgeReducer: (key, edge) => this.#drawEdge(key, edge),
    })
    restWhileDragged(this.#sigma)
    hideUnused(this.#sigma)
    showPlates(this.#sigma, false)
    this.#layout = openLayout((places, isSettled) => {
      this.#move(places)
      events.onSettled(isSettled)
    })
    // The first moment at which new places are known in the measure of the camera.
    this.#sigma.on('afterProcess', () => this.#follow())
    this.#sigma.on('clickNode', ({ node }) => events.onChoose(node))
    for (const event of ['downStage', 'wheelStage', 'downNode'] as const) {
      this.#sigma.on(event, () => {
        this.#followed = null
      })
    }
    this.#sigma.on('clickStage', () => events.onChoose(null))
    this.#sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
      preventSigmaDefault()
      events.onOpen(node)
    })
    this.#sigma.on('enterNode', ({ node }) => this.#hover(node))
    this.#sigma.on('leaveNode', () => this.#hover(null))
  }

  /** Nodes that were there stay where they are. Answers the scale for the legend. */
  show(model: GraphModel, colour: ColourChoice, edges: EdgeChoice): ColourScale {
    const scale = colourScale(model.nodes.values(), colour)
    const before = this.#graph.order
    const isGrown = this.#takeNodes(model, scale)
    const isRelinked = this.#takeEdges(drawnEdges(model, edges, MAX_EDGES))
    const isSparedOnMove = this.#graph.size > FEW_EDGES
    this.#sigma.setSettings({ hideEdgesOnMove: isSparedOnMove, hideLabelsOnMove: isSparedOnMove })
    if (isGrown || isRelinked) this.#startLayout(this.#graph.order > before * 1.3 ? 1 : 0.4)
    return scale
  }

  choose(id: string | null): void {
    this.#chosen = id
    this.#followed = null
    showPlates(this.#sigma, id !== null || this.#hovered !== null)
    this.#focus()
  }

  /** Brings a node into the middle. */
  lookAt(id: string): void {
    this.#followed = id
    const place = this.#sigma.getNodeDisplayData(id)
    if (place === undefined) return
    // Some dozens of nodes stay in view.
    const ratio = Math.sqrt(FEW_NODES / this.#graph.order)
    if (ratio >= 1) return this.fit()
    const camera = this.#sigma.getCamera()
    void camera.animate({ x: place.x, y: place.y, ratio: Math.min(camera.ratio, ratio) }, { duration: 300 })
  }

  fit(): void {
    this.#followed = null
    void this.#sigma.getCamera().animatedReset({ duration: 300 })
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    void camera.animate({ ratio: camera.getBoundedRatio(camera.ratio * factor) }, { duration: 150 })
  }

  /** In parts of the width that is seen. */
  pan(x: number, y: number): void {
    this.#followed = null
    const camera = this.#sigma.getCamera()
    void camera.animate({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio }, { duration: 100 })
  }

  setPaused(isPaused: boolean): void {
    this.#layout.setPaused(isPaused)
  }

  readTheme(): void {
    this.#palette = readPalette(this.#root)
    this.#sigma.setSetting('labelColor', { color: this.#palette.ink })
    this.#graph.updateEachNodeAttributes((_, node) => ({ ...node, color: this.#palette.colour(node.look) }))
    this.#sigma.refresh()
  }

  close(): void {
    this.#layout.close()
    this.#sigma.kill()
  }

  #follow(): void {
    const camera = this.#sigma.getCamera()
    const place = this.#followed === null ? undefined : this.#sigma.getNodeDisplayData(this.#followed)
    if (place !== undefined && !camera.isAnimated()) camera.setState({ x: place.x, y: place.y })
  }

  #takeNodes(model: GraphModel, scale: ColourScale): boolean {
    const sizeOf = sizeScale(model.nodes.values())
    const host = onlyHost(model.nodes.values())
    const gone = this.#graph.filterNodes((id) => !model.nodes.has(id))
    for (const id of gone) this.#graph.dropNode(id)
    const added = [...model.nodes.values()].filter((node) => !this.#graph.hasNode(node.id))
    const places = placeNodes(added, this.#places())
    for (const node of model.nodes.values()) {
      const look = scale.colourOf(node)
      const drawn = { size: sizeOf(node), label: shortLabel(node.label, host), look, color: this.#palette.colour(look) }
      const place = places.get(node.id)
      if (place !== undefined) this.#graph.addNode(node.id, { ...place, ...drawn })
      else if (!isDrawnSo(this.#graph.getNodeAttributes(node.id), drawn))
        this.#graph.mergeNodeAttributes(node.id, drawn)
    }
    return added.length > 0 || gone.length > 0
  }

  #takeEdges(edges: DrawnEdge[]): boolean {
    const wanted = new Set(edges.map((edge) => edge.key))
    const gone = this.#graph.filterEdges((key) => !wanted.has(key))
    for (const key of gone) this.#graph.dropEdge(key)
    let isChanged = gone.length > 0
    for (const { key, from, to, isLineage, links } of edges) {
      if (this.#graph.hasEdge(key)) continue
      this.#graph.addEdgeWithKey(key, from, to, { isLineage, links })
      isChanged = true
    }
    return isChanged
  }

  #places(): Map<string, Place> {
    return new Map(this.#graph.mapNodes((id, { x, y }) => [id, { x, y }]))
  }

  #startLayout(share: number): void {
    const index = new Map(this.#graph.nodes().map((id, i) => [id, i]))
    const edges = this.#graph.mapEdges((_, edge, from, to) => ({
      from: index.get(from) ?? 0,
      to: index.get(to) ?? 0,
      // How a url was found says more about where it belongs than one of many links.
      weight: edge.isLineage ? 2 : 0.5 + Math.min(1, Math.log10(edge.links)),
    }))
    this.#layout.start(
      buildMatrices(
        this.#graph.mapNodes((_, node) => node),
        edges,
      ),
      share,
    )
  }

  #move(places: Float32Array): void {
    let i = 0
    this.#graph.updateEachNodeAttributes(
      (_, node) => {
        node.x = places[i] ?? 0
        node.y = places[i + 1] ?? 0
        i += 2
        return node
      },
      { attributes: ['x', 'y'] },
    )
  }

  #isLarge(): boolean {
    return this.#graph.size > LARGE
  }

  #hover(id: string | null): void {
    showPlates(this.#sigma, id !== null || this.#chosen !== null)
    if (this.#isLarge()) return
    this.#hovered = id
    this.#focus()
  }

  #focus(): void {
    const id = this.#hovered ?? this.#chosen
    this.#near = new Set(id !== null && this.#graph.hasNode(id) ? this.#graph.neighbors(id) : [])
    this.#sigma.refresh()
  }

  #drawNode(id: string, node: NodeLook) {
    const focus = this.#hovered ?? this.#chosen
    if (focus === null || !this.#graph.hasNode(focus)) return node
    if (id === focus || id === this.#chosen) return { ...node, highlighted: true, forceLabel: true, zIndex: 2 }
    if (this.#near.has(id)) return { ...node, forceLabel: this.#near.size <= FEW_NAMES, zIndex: 1 }
    return { ...node, label: '', color: this.#palette.faded, zIndex: 0 }
  }

  #drawEdge(key: string, edge: EdgeLook) {
    const focus = this.#hovered ?? this.#chosen
    const color = edge.isLineage ? this.#palette.lineage : this.#palette.link
    if (focus === null || !this.#graph.hasNode(focus)) return { ...edge, color, zIndex: edge.isLineage ? 1 : 0 }
    if (this.#graph.hasExtremity(key, focus)) return { ...edge, color: this.#palette.near, zIndex: 2 }
    return { ...edge, color: this.#palette.link, zIndex: 0 }
  }
}

/** Most nodes stay as they are from one reading to the next, and each change costs a piece of a frame. */
function isDrawnSo(now: NodeLook, next: Omit<NodeLook, 'x' | 'y'>): boolean {
  return now.color === next.color && now.look === next.look && now.label === next.label && now.size === next.size
}
