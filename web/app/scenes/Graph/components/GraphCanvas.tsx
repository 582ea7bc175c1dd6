import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { EmptyState } from '../../../components/display/EmptyState.tsx'
import type { ColourChoice, LegendEntry } from '../../../graph/colour-scale.ts'
import type { EdgeChoice } from '../../../graph/drawn-edges.ts'
import { GraphView } from '../../../graph/graph-view.ts'
import type { GraphSnapshot } from '../../../graph/read-graph.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { GraphCanvasControls } from './GraphCanvasControls.tsx'
import { Legend } from './Legend.tsx'

const ZOOM = 1.5
const PAN_KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-0.12, 0],
  ArrowRight: [0.12, 0],
  ArrowUp: [0, 0.12],
  ArrowDown: [0, -0.12],
}

/** The canvas with its legend and its controls. */
export function GraphCanvas({
  reading,
  colour,
  edges,
  chosen,
  onChoose,
  onOpen,
}: {
  reading: GraphSnapshot
  colour: ColourChoice
  edges: EdgeChoice
  chosen: string | null
  onChoose: (id: string | null) => void
  onOpen: (id: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const clicked = useRef<string | null>(null)
  const [view, setView] = useState<GraphView | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [legend, setLegend] = useState<LegendEntry[]>([])
  const [isPaused, setIsPaused] = useState(false)
  const [isSettled, setIsSettled] = useState(false)
  const choose = useEffectEvent(onChoose)
  const open = useEffectEvent(onOpen)

  useEffect(() => {
    const container = box.current
    if (container === null) return
    let made: GraphView
    try {
      made = new GraphView(container, {
        onChoose: (id) => {
          clicked.current = id
          choose(id)
        },
        onOpen: (id) => open(id),
        onSettled: setIsSettled,
      })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      return
    }
    setView(made)
    const onTheme = (): void => made.applyTheme()
    document.addEventListener('themechange', onTheme)
    return () => {
      document.removeEventListener('themechange', onTheme)
      setView(null)
      made.close()
    }
  }, [])

  useEffect(() => {
    if (view !== null) setLegend(view.show(reading.model, colour, edges).legend)
  }, [view, reading, colour, edges])

  useEffect(() => {
    view?.choose(chosen)
    // What was clicked is in view already.
    if (chosen !== null && chosen !== clicked.current) view?.centreOn(chosen)
    clicked.current = null
  }, [view, chosen])

  useEffect(() => view?.setPaused(isPaused), [view, isPaused])

  useShortcuts([
    { keys: 'f', label: 'Fit the graph', run: () => view?.fit() },
    { keys: '+', label: 'Zoom in', run: () => view?.zoom(1 / ZOOM) },
    { keys: '-', label: 'Zoom out', run: () => view?.zoom(ZOOM) },
    { keys: 'l', label: 'Pause the layout, or go on', run: () => setIsPaused(!isPaused) },
  ])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const pan = PAN_KEYS[event.key]
    if (pan !== undefined) view?.pan(...pan)
    else if (event.key === 'Enter' && chosen !== null) onOpen(chosen)
    else if (event.key === 'Escape') onChoose(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  if (problem !== null) {
    return (
      <EmptyState icon="warning" title="The graph cannot be drawn here">
        This browser gives no WebGL ({problem}). The tree shows the same site.
      </EmptyState>
    )
  }
  return (
    <div className="relative flex h-full w-full flex-col overflow-hidden rounded-lg border border-line bg-canvas">
      <div
        role="application"
        aria-label={`Graph of ${reading.model.nodes.size} nodes. Arrows move it, plus and minus zoom, f fits it, l pauses the layout. The tree shows the same as text.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys named in its label
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 focus-visible:-outline-offset-2"
      >
        <div ref={box} className="h-full w-full" data-nodes={reading.model.nodes.size} data-settled={isSettled} />
      </div>
      <Legend entries={legend} />
      <GraphCanvasControls
        isPaused={isPaused}
        isSettled={isSettled}
        onPause={setIsPaused}
        onFit={() => view?.fit()}
        onZoom={(isIn) => view?.zoom(isIn ? 1 / ZOOM : ZOOM)}
      />
    </div>
  )
}
