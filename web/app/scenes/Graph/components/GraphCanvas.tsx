import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { EmptyState } from '../../../components/display/EmptyState.tsx'
import type { ColourChoice, LegendEntry } from '../../../graph/colour-scale.ts'
import type { EdgeChoice } from '../../../graph/drawn-edges.ts'
import type { GraphView, GraphViewEvents } from '../../../graph/graph-view.ts'
import { MapView } from '../../../graph/map/map-view.ts'
import type { GraphSnapshot } from '../../../graph/read-graph.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { loadWithRetry } from '../../../server/lazy-component.tsx'
import { GraphCanvasControls } from './GraphCanvasControls.tsx'
import { Legend } from './Legend.tsx'

const ZOOM = 1.5
const PAN_KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-0.12, 0],
  ArrowRight: [0.12, 0],
  ArrowUp: [0, 0.12],
  ArrowDown: [0, -0.12],
}

/** Loaded when needed: WebGL and the layout are most of the code, and a map needs neither. */
async function loadGraphView(): Promise<typeof GraphView> {
  return (await import('../../../graph/graph-view.ts')).GraphView
}

/** The canvas with its legend and its controls. */
export function GraphCanvas({
  snapshot,
  colour,
  edges,
  selected,
  onSelect,
  onOpen,
}: {
  snapshot: GraphSnapshot
  colour: ColourChoice
  edges: EdgeChoice
  selected: string | null
  onSelect: (id: string | null) => void
  onOpen: (id: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const clicked = useRef<string | null>(null)
  const [view, setView] = useState<GraphView | MapView | null>(null)
  const isMap = snapshot.model.group !== 'url'
  const [problem, setProblem] = useState<string | null>(null)
  const [legend, setLegend] = useState<LegendEntry[]>([])
  const [isPaused, setIsPaused] = useState(false)
  const [isSettled, setIsSettled] = useState(false)
  const select = useEffectEvent(onSelect)
  const open = useEffectEvent(onOpen)

  useEffect(() => {
    const container = box.current
    if (container === null) return
    const events: GraphViewEvents = {
      onSelect: (id) => {
        clicked.current = id
        select(id)
      },
      onOpen: (id) => open(id),
      onSettled: setIsSettled,
    }
    let opened: GraphView | MapView | null = null
    const closing = new AbortController()
    const openView = async (): Promise<void> => {
      const View = isMap ? MapView : await loadWithRetry(loadGraphView)
      if (closing.signal.aborted) return
      opened = new View(container, events)
      setView(opened)
    }
    openView().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
    document.addEventListener('themechange', () => opened?.applyTheme(), { signal: closing.signal })
    return () => {
      closing.abort()
      setView(null)
      opened?.close()
      setIsSettled(false)
    }
  }, [isMap])

  useEffect(() => {
    if (view !== null) setLegend(view.show(snapshot.model, colour, edges).legend)
  }, [view, snapshot, colour, edges])

  useEffect(() => {
    view?.select(selected)
    // A clicked node is already in view.
    if (selected !== null && selected !== clicked.current) view?.centreOn(selected)
    clicked.current = null
  }, [view, selected])

  useEffect(() => {
    if (view !== null && !(view instanceof MapView)) view.setPaused(isPaused)
  }, [view, isPaused])

  useShortcuts([
    { keys: 'f', label: 'Fit graph to screen', run: () => view?.fit() },
    { keys: '+', label: 'Zoom in', run: () => view?.zoom(1 / ZOOM) },
    { keys: '-', label: 'Zoom out', run: () => view?.zoom(ZOOM) },
    { keys: 'l', label: 'Pause or resume layout', run: () => setIsPaused(!isPaused) },
  ])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const pan = PAN_KEYS[event.key]
    if (pan !== undefined) view?.pan(...pan)
    else if ((event.key === 'n' || event.key === 'p') && view instanceof MapView)
      onSelect(view.neighbour(event.key === 'n' ? 1 : -1))
    else if (event.key === 'Enter' && selected !== null) onOpen(selected)
    else if (event.key === 'Escape') onSelect(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  if (problem !== null) {
    return (
      <EmptyState icon="warning" title="Graph not available">
        It could not be loaded, or this browser does not support WebGL ({problem}). Use the tree instead.
      </EmptyState>
    )
  }
  return (
    <div
      data-graph
      className="relative flex h-full w-full flex-col overflow-hidden rounded-lg border border-line bg-canvas"
    >
      <div
        role="application"
        aria-label={describeKeys(snapshot.model.nodes.size, isMap)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it handles the keys named in its label
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 focus-visible:-outline-offset-2"
      >
        <div ref={box} className="h-full w-full" data-nodes={snapshot.model.nodes.size} data-settled={isSettled} />
      </div>
      <Legend entries={legend} />
      <GraphCanvasControls
        hasLayout={!isMap}
        isPaused={isPaused}
        isSettled={isSettled}
        onPause={setIsPaused}
        onFit={() => view?.fit()}
        onZoom={(isIn) => view?.zoom(isIn ? 1 / ZOOM : ZOOM)}
      />
    </div>
  )
}

function describeKeys(nodes: number, isMap: boolean): string {
  const own = isMap ? 'n and p select the next and the previous group, Enter opens it' : 'l pauses the layout'
  return `Graph with ${nodes} nodes. Arrow keys pan, plus and minus zoom, f fits it to the screen, ${own}. The tree shows the same site as text.`
}
