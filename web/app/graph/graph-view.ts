// Draws a graph. It owns the canvas, the layout thread and the node positions; the scene passes it a model and gets
// selection events. It lives as long as its container element.

import Graph from 'graphology'
import Sigma from 'sigma'
import { EdgeLineProgram, NodePointProgram } from 'sigma/rendering'
import { boundsWithoutOutliers } from './bounds.ts'
import { type ColourChoice, type ColourScale, mainColour, makeColourScale } from './colour-scale.ts'
import { type DrawnEdge, type EdgeChoice, MAX_EDGES, selectDrawnEdges } from './drawn-edges.ts'
import type { GraphModel } from './graph-model.ts'
import { assignInitialPositions, type NodePosition } from './initial-positions.ts'
import { boxesOver, LabelBoxes } from './label-boxes.ts'
import { type Layout, openLayout } from './layout.ts'
import { buildMatrices } from './layout-matrices.ts'
import type { EdgeAttributes, NodeAttributes } from './node-attributes.ts'
import { findMainHost, makeHoverDrawer, makeLabelDrawer, shortenLabel } from './node-labels.ts'
import { type Palette, readPalette } from './palette.ts'
import { hideUnusedCanvases, showHoverCanvases, skipHoverWhileDragging } from './sigma-canvases.ts'
import { makeSizeScale } from './size-scale.ts'

/** With more edges, hovering highlights nothing, since each highlight redraws the whole graph. */
const MAX_EDGES_FOR_HOVER = 4000
/** With more edges, edges and labels are hidden while the view moves, so it is smooth without a graphics card. */
const MAX_EDGES_ON_MOVE = 800
/** With more nodes, labels may cover nodes: checking each takes too long. */
const MAX_NODES_KEPT_FREE = 600
/** All neighbours of the focused node are labelled if there are at most this many. */
const MAX_LABELLED_NEIGHBOURS = 6
/** Number of nodes in view around a centred node. */
const NODES_IN_VIEW = 50

export interface GraphViewEvents {
  onSelect(id: string | null): void
  /** Called on double-click. */
  onOpen(id: string): void
  onSettled(isSettled: boolean): void
}

export class GraphView {
  readonly #graph = new Graph<NodeAttributes, EdgeAttributes>({ type: 'directed', multi: false, allowSelfLoops: false })
  readonly #sigma: Sigma<NodeAttributes, EdgeAttributes>
  readonly #layout: Layout
  readonly #root: HTMLElement
  readonly #labelBoxes = new LabelBoxes()
  #palette: Palette
  #selected: string | null = null
  #hovered: string | null = null
  /** Stays in the middle while the layout moves it, until the user moves the view. */
  #centredNode: string | null = null
  #neighbours = new Set<string>()

  constructor(container: HTMLElement, events: GraphViewEvents) {
    this.#root = container.ownerDocument.documentElement
    this.#palette = readPalette(this.#root)
    this.#sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.#graph, container, {
      defaultEdgeType: 'line',
      edgeProgramClasses: { line: EdgeLineProgram },
      // One draw call for all points. The default circles are instanced, which is slow in software rendering: with
      // 3,000 nodes a frame took three times as long, 2026-11.
      defaultNodeType: 'point',
      nodeProgramClasses: { point: NodePointProgram },
      labelFont: getComputedStyle(container).fontFamily,
      labelSize: 11,
      labelColor: { color: this.#palette.ink },
      labelDensity: 0.3,
      labelGridCellSize: 140,
      labelRenderedSizeThreshold: 4.5,
      defaultDrawNodeLabel: makeLabelDrawer(this.#labelBoxes),
      defaultDrawNodeHover: makeHoverDrawer(() => this.#palette),
      hideEdgesOnMove: false,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
      zIndex: true,
      allowInvalidContainer: true,
      nodeReducer: (id, node) => this.#drawNode(id, node),
      edgeReducer: (key, edge) => this.#drawEdge(key, edge),
    })
    this.#sigma.on('beforeRender', () => {
      this.#labelBoxes.reset(this.#sigma.getDimensions(), boxesOver(container, '[data-over-graph]'))
      if (this.#graph.order <= MAX_NODES_KEPT_FREE) this.#keepNodesFree()
    })
    skipHoverWhileDragging(this.#sigma)
    hideUnusedCanvases(this.#sigma)
    showHoverCanvases(this.#sigma, false)
    this.#layout = openLayout((positions, isSettled) => {
      this.#applyPositions(positions)
      events.onSettled(isSettled)
    })
    // The earliest event after which new positions are available in camera coordinates.
    this.#sigma.on('afterProcess', () => this.#keepCentred())
    this.#sigma.on('clickNode', ({ node }) => events.onSelect(node))
    for (const event of ['downStage', 'wheelStage', 'downNode'] as const) {
      this.#sigma.on(event, () => {
        this.#centredNode = null
      })
    }
    this.#sigma.on('clickStage', () => events.onSelect(null))
    this.#sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
      preventSigmaDefault()
      events.onOpen(node)
    })
    this.#sigma.on('enterNode', ({ node }) => this.#hover(node))
    this.#sigma.on('leaveNode', () => this.#hover(null))
  }

  /** Shows a model. Known nodes keep their position. Returns the scale for the legend. */
  show(model: GraphModel, colour: ColourChoice, edges: EdgeChoice): ColourScale {
    const scale = makeColourScale(model.nodes.values(), colour)
    const previousOrder = this.#graph.order
    const isGrown = this.#updateNodes(model, scale)
    const isRelinked = this.#updateEdges(selectDrawnEdges(model, edges, MAX_EDGES))
    const isHiddenOnMove = this.#graph.size > MAX_EDGES_ON_MOVE
    this.#sigma.setSettings({ hideEdgesOnMove: isHiddenOnMove, hideLabelsOnMove: isHiddenOnMove })
    if (isGrown || isRelinked) this.#startLayout(this.#graph.order > previousOrder * 1.3 ? 1 : 0.4)
    return scale
  }

  select(id: string | null): void {
    this.#selected = id
    this.#centredNode = null
    showHoverCanvases(this.#sigma, id !== null || this.#hovered !== null)
    this.#focus()
  }

  /** Moves the camera to a node. */
  centreOn(id: string): void {
    this.#centredNode = id
    const position = this.#sigma.getNodeDisplayData(id)
    if (position === undefined) return
    const ratio = Math.sqrt(NODES_IN_VIEW / this.#graph.order)
    if (ratio >= 1) return this.fit()
    const camera = this.#sigma.getCamera()
    void camera.animate({ x: position.x, y: position.y, ratio: Math.min(camera.ratio, ratio) }, { duration: 300 })
  }

  fit(): void {
    this.#centredNode = null
    void this.#sigma.getCamera().animatedReset({ duration: 300 })
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera()
    void camera.animate({ ratio: camera.getBoundedRatio(camera.ratio * factor) }, { duration: 150 })
  }

  /** Pans by fractions of the visible width. */
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
    this.#graph.updateEachNodeAttributes((_, node) => ({ ...node, color: this.#palette.colour(node.colourClass) }))
    this.#sigma.refresh()
  }

  close(): void {
    this.#layout.close()
    this.#sigma.kill()
  }

  /** No label covers a node. */
  #keepNodesFree(): void {
    const zoom = this.#sigma.scaleSize()
    this.#graph.forEachNode((id, { size }) => {
      const at = this.#sigma.getNodeDisplayData(id)
      if (at === undefined) return
      const { x, y } = this.#sigma.framedGraphToViewport(at)
      const r = size * zoom * 0.8
      this.#labelBoxes.add({ x: x - r, y: y - r, width: 2 * r, height: 2 * r })
    })
  }

  #keepCentred(): void {
    const camera = this.#sigma.getCamera()
    const position = this.#centredNode === null ? undefined : this.#sigma.getNodeDisplayData(this.#centredNode)
    if (position !== undefined && !camera.isAnimated()) camera.setState({ x: position.x, y: position.y })
  }

  #updateNodes(model: GraphModel, scale: ColourScale): boolean {
    const sizeOf = makeSizeScale(model.nodes.values())
    const host = findMainHost(model.nodes.values())
    const removed = this.#graph.filterNodes((id) => !model.nodes.has(id))
    for (const id of removed) this.#graph.dropNode(id)
    const added = [...model.nodes.values()].filter((node) => !this.#graph.hasNode(node.id))
    const positions = assignInitialPositions(added, this.#positions())
    for (const node of model.nodes.values()) {
      const colourClass = mainColour(scale.partsOf(node))
      const drawn = {
        size: sizeOf(node),
        label: shortenLabel(node.label, host),
        colourClass,
        color: this.#palette.colour(colourClass),
      }
      const position = positions.get(node.id)
      if (position !== undefined) this.#graph.addNode(node.id, { ...position, ...drawn })
      else if (!hasSameAttributes(this.#graph.getNodeAttributes(node.id), drawn))
        this.#graph.mergeNodeAttributes(node.id, drawn)
    }
    return added.length > 0 || removed.length > 0
  }

  #updateEdges(edges: DrawnEdge[]): boolean {
    const wanted = new Set(edges.map((edge) => edge.key))
    const removed = this.#graph.filterEdges((key) => !wanted.has(key))
    for (const key of removed) this.#graph.dropEdge(key)
    let isChanged = removed.length > 0
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
      // The link on which a URL was discovered says more about its place than one of many links.
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

  #applyPositions(positions: Float32Array): void {
    let i = 0
    this.#graph.updateEachNodeAttributes(
      (_, node) => {
        node.x = positions[i] ?? 0
        node.y = positions[i + 1] ?? 0
        i += 2
        return node
      },
      { attributes: ['x', 'y'] },
    )
    this.#sigma.setCustomBBox(boundsWithoutOutliers(positions))
  }

  #isLarge(): boolean {
    return this.#graph.size > MAX_EDGES_FOR_HOVER
  }

  #hover(id: string | null): void {
    showHoverCanvases(this.#sigma, id !== null || this.#selected !== null)
    if (this.#isLarge()) return
    this.#hovered = id
    this.#focus()
  }

  #focus(): void {
    const id = this.#hovered ?? this.#selected
    this.#neighbours = new Set(id !== null && this.#graph.hasNode(id) ? this.#graph.neighbors(id) : [])
    this.#sigma.refresh()
  }

  #drawNode(id: string, node: NodeAttributes) {
    const focus = this.#hovered ?? this.#selected
    if (focus === null || !this.#graph.hasNode(focus)) return node
    if (id === focus || id === this.#selected) return { ...node, highlighted: true, forceLabel: true, zIndex: 2 }
    if (this.#neighbours.has(id))
      return { ...node, forceLabel: this.#neighbours.size <= MAX_LABELLED_NEIGHBOURS, zIndex: 1 }
    return { ...node, label: '', color: this.#palette.faded, zIndex: 0 }
  }

  #drawEdge(key: string, edge: EdgeAttributes) {
    const focus = this.#hovered ?? this.#selected
    const color = edge.isLineage ? this.#palette.lineage : this.#palette.link
    if (focus === null || !this.#graph.hasNode(focus)) return { ...edge, color, zIndex: edge.isLineage ? 1 : 0 }
    if (this.#graph.hasExtremity(key, focus)) return { ...edge, color: this.#palette.near, zIndex: 2 }
    return { ...edge, color: this.#palette.link, zIndex: 0 }
  }
}

/** Most nodes do not change between updates, and every attribute change costs frame time. */
function hasSameAttributes(now: NodeAttributes, next: Omit<NodeAttributes, 'x' | 'y'>): boolean {
  return (
    now.color === next.color &&
    now.colourClass === next.colourClass &&
    now.label === next.label &&
    now.size === next.size
  )
}
