// The drawing of a graph. It holds the canvas, the layout thread and the places of nodes; the scene tells it what to show
// and hears what is chosen. Made with its element, closed with it.

import Graph from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram, NodePointProgram } from 'sigma/rendering'
import { type ColourChoice, type ColourScale, makeColourScale } from './colour-scale.ts'
import { type DrawnEdge, type EdgeChoice, MAX_EDGES, selectDrawnEdges } from './drawn-edges.ts'
import type { GraphModel } from './graph-model.ts'
import { assignInitialPositions, type NodePosition } from './initial-positions.ts'
import { type Layout, openLayout } from './layout.ts'
import { buildMatrices } from './layout-matrices.ts'
import type { EdgeAttributes, NodeAttributes } from './node-attributes.ts'
import { drawLabel, findSharedHost, makeHoverDrawer, shortenLabel } from './node-labels.ts'
import { type Palette, readPalette } from './palette.ts'
import { hideUnusedCanvases, showHoverCanvases, skipHoverWhileDragging } from './sigma-canvases.ts'
import { makeSizeScale } from './size-scale.ts'

/** With more edges than this the pointer lights nothing up: that draws everything anew. */
const MAX_EDGES_FOR_HOVER = 4000
/** With more edges than this, moving the view leaves edges and labels out, so that it is smooth without a graphics card. */
const MAX_EDGES_ON_MOVE = 800
/** Of a node with no more neighbours than this all of them are named. */
const MAX_NAMED_NEIGHBOURS = 6
/** So many are seen around a node that is looked at. */
const NODES_IN_VIEW = 50

export interface GraphViewEvents {
  onChoose(id: string | null): void
  /** Twice clicked: go into it. */
  onOpen(id: string): void
  onSettled(isSettled: boolean): void
}

export class GraphView {
  readonly #graph = new Graph<NodeAttributes, EdgeAttributes>({ type: 'directed', multi: false, allowSelfLoops: false })
  readonly #sigma: Sigma<NodeAttributes, EdgeAttributes>
  readonly #layout: Layout
  readonly #root: HTMLElement
  #palette: Palette
  #chosen: string | null = null
  #hovered: string | null = null
  /** Stays in the middle while the layout moves it, until the view is moved by hand. */
  #centredNode: string | null = null
  #neighbours = new Set<string>()

  constructor(container: HTMLElement, events: GraphViewEvents) {
    this.#root = container.ownerDocument.documentElement
    this.#palette = readPalette(this.#root)
    this.#sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.#graph, container, {
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
      defaultDrawNodeHover: makeHoverDrawer(() => this.#palette),
      hideEdgesOnMove: false,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      zIndex: true,
      allowInvalidContainer: true,
      nodeReducer: (id, node) => this.#drawNode(id, node),
      edgeReducer: (key, edge) => this.#drawEdge(key, edge),
    })
    skipHoverWhileDragging(this.#sigma)
    hideUnusedCanvases(this.#sigma)
    showHoverCanvases(this.#sigma, false)
    this.#layout = openLayout((places, isSettled) => {
      this.#applyPositions(places)
      events.onSettled(isSettled)
    })
    // The first moment at which new places are known in the measure of the camera.
    this.#sigma.on('afterProcess', () => this.#keepCentred())
    this.#sigma.on('clickNode', ({ node }) => events.onChoose(node))
    for (const event of ['downStage', 'wheelStage', 'downNode'] as const) {
      this.#sigma.on(event, () => {
        this.#centredNode = null
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
    const scale = makeColourScale(model.nodes.values(), colour)
    const before = this.#graph.order
    const isGrown = this.#updateNodes(model, scale)
    const isRelinked = this.#updateEdges(selectDrawnEdges(model, edges, MAX_EDGES))
    const isSparedOnMove = this.#graph.size > MAX_EDGES_ON_MOVE
    this.#sigma.setSettings({ hideEdgesOnMove: isSparedOnMove, hideLabelsOnMove: isSparedOnMove })
    if (isGrown || isRelinked) this.#startLayout(this.#graph.order > before * 1.3 ? 1 : 0.4)
    return scale
  }

  choose(id: string | null): void {
    this.#chosen = id
    this.#centredNode = null
    showHoverCanvases(this.#sigma, id !== null || this.#hovered !== null)
    this.#focus()
  }

  /** Brings a node into the middle. */
  centreOn(id: string): void {
    this.#centredNode = id
    const place = this.#sigma.getNodeDisplayData(id)
    if (place === undefined) return
    // Some dozens of nodes stay in view.
    const ratio = Math.sqrt(NODES_IN_VIEW / this.#graph.order)
    if (ratio >= 1) return this.fit()
    const camera = this.#sigma.getCamera()
    void camera.animate({ x: place.x, y: place.y, ratio: Math.min(camera.ratio, ratio) }, { duration: 300 })
  }

  fit(): void {
    this.#centredNode = null
    void this.#sigma.getCamera().animatedReset({ duration: 300 })
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    void camera.animate({ ratio: camera.getBoundedRatio(camera.ratio * factor) }, { duration: 150 })
  }

  /** In parts of the width that is seen. */
  pan(x: number, y: number): void {
    this.#centredNode = null
    const camera = this.#sigma.getCamera()
    void camera.animate({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio }, { duration: 100 })
  }

  setPaused(isPaused: boolean): void {
    this.#layout.setPaused(isPaused)
  }

  applyTheme(): void {
    this.#palette = readPalette(this.#root)
    this.#sigma.setSetting('labelColor', { color: this.#palette.ink })
    this.#graph.updateEachNodeAttributes((_, node) => ({ ...node, color: this.#palette.colour(node.look) }))
    this.#sigma.refresh()
  }

  close(): void {
    this.#layout.close()
    this.#sigma.kill()
  }

  #keepCentred(): void {
    const camera = this.#sigma.getCamera()
    const place = this.#centredNode === null ? undefined : this.#sigma.getNodeDisplayData(this.#centredNode)
    if (place !== undefined && !camera.isAnimated()) camera.setState({ x: place.x, y: place.y })
  }

  #updateNodes(model: GraphModel, scale: ColourScale): boolean {
    const sizeOf = makeSizeScale(model.nodes.values())
    const host = findSharedHost(model.nodes.values())
    const gone = this.#graph.filterNodes((id) => !model.nodes.has(id))
    for (const id of gone) this.#graph.dropNode(id)
    const added = [...model.nodes.values()].filter((node) => !this.#graph.hasNode(node.id))
    const places = assignInitialPositions(added, this.#positions())
    for (const node of model.nodes.values()) {
      const look = scale.colourOf(node)
      const drawn = {
        size: sizeOf(node),
        label: shortenLabel(node.label, host),
        look,
        color: this.#palette.colour(look),
      }
      const place = places.get(node.id)
      if (place !== undefined) this.#graph.addNode(node.id, { ...place, ...drawn })
      else if (!hasSameAttributes(this.#graph.getNodeAttributes(node.id), drawn))
        this.#graph.mergeNodeAttributes(node.id, drawn)
    }
    return added.length > 0 || gone.length > 0
  }

  #updateEdges(edges: DrawnEdge[]): boolean {
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

  #positions(): Map<string, NodePosition> {
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

  #applyPositions(places: Float32Array): void {
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
    return this.#graph.size > MAX_EDGES_FOR_HOVER
  }

  #hover(id: string | null): void {
    showHoverCanvases(this.#sigma, id !== null || this.#chosen !== null)
    if (this.#isLarge()) return
    this.#hovered = id
    this.#focus()
  }

  #focus(): void {
    const id = this.#hovered ?? this.#chosen
    this.#neighbours = new Set(id !== null && this.#graph.hasNode(id) ? this.#graph.neighbors(id) : [])
    this.#sigma.refresh()
  }

  #drawNode(id: string, node: NodeAttributes) {
    const focus = this.#hovered ?? this.#chosen
    if (focus === null || !this.#graph.hasNode(focus)) return node
    if (id === focus || id === this.#chosen) return { ...node, highlighted: true, forceLabel: true, zIndex: 2 }
    if (this.#neighbours.has(id))
      return { ...node, forceLabel: this.#neighbours.size <= MAX_NAMED_NEIGHBOURS, zIndex: 1 }
    return { ...node, label: '', color: this.#palette.faded, zIndex: 0 }
  }

  #drawEdge(key: string, edge: EdgeAttributes) {
    const focus = this.#hovered ?? this.#chosen
    const color = edge.isLineage ? this.#palette.lineage : this.#palette.link
    if (focus === null || !this.#graph.hasNode(focus)) return { ...edge, color, zIndex: edge.isLineage ? 1 : 0 }
    if (this.#graph.hasExtremity(key, focus)) return { ...edge, color: this.#palette.near, zIndex: 2 }
    return { ...edge, color: this.#palette.link, zIndex: 0 }
  }
}

/** Most nodes stay as they are from one reading to the next, and each change costs a piece of a frame. */
function hasSameAttributes(now: NodeAttributes, next: Omit<NodeAttributes, 'x' | 'y'>): boolean {
  return now.color === next.color && now.look === next.look && now.label === next.label && now.size === next.size
}
