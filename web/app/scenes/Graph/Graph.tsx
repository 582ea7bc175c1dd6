import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Tabs } from '../../components/controls/Tabs.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { Skeleton } from '../../components/display/Skeleton.tsx'
import { MAX_EDGES } from '../../graph/drawn-edges.ts'
import type { GraphNode } from '../../graph/graph-model.ts'
import type { GraphSnapshot } from '../../graph/read-graph.ts'
import { useApi } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { isLive } from '../../text/states.ts'
import { Breadcrumbs } from './components/Breadcrumbs.tsx'
import { FindNode } from './components/FindNode.tsx'
import { GraphCanvas } from './components/GraphCanvas.tsx'
import { GraphToolbar } from './components/GraphToolbar.tsx'
import { NodePanel } from './components/NodePanel.tsx'
import { TreeView } from './components/TreeView.tsx'
import { useGraph } from './useGraph.ts'
import { type GraphViewState, readViewState, writeViewState } from './view-state.ts'

const VIEW_TABS = [
  { id: 'graph', label: 'Graph' },
  { id: 'tree', label: 'Tree' },
] as const

export function Graph({ crawlId }: { crawlId: string }) {
  const [params, setParams] = useSearchParams()
  const place = readViewState(params)
  const go = (change: Partial<GraphViewState>, isStep = false): void =>
    setParams((before) => writeViewState({ ...readViewState(before), ...change }), { replace: !isStep })

  return (
    <div className="flex min-h-full flex-col gap-2 px-4 py-2 md:px-6 lg:h-full lg:min-h-[32rem]">
      <Tabs label="View" tabs={VIEW_TABS} current={place.view} onChoose={(view) => go({ view })} />
      {place.view === 'tree' ? (
        <TreeView crawlId={crawlId} onGraph={(under) => go({ view: 'graph', under, around: null, node: null }, true)} />
      ) : (
        <GraphPane crawlId={crawlId} place={place} go={go} />
      )}
    </div>
  )
}

function GraphPane({
  crawlId,
  place,
  go,
}: {
  crawlId: string
  place: GraphViewState
  go: (change: Partial<GraphViewState>, isStep?: boolean) => void
}) {
  const crawl = useApi('getCrawl', { params: { crawl_id: crawlId } })
  const isRunning = crawl.data !== undefined && isLive(crawl.data.status)
  const isLarge = crawl.data !== undefined && crawl.data.total > place.limit
  const graph = useGraph(
    crawlId,
    { ...place, isLarge },
    { everyMs: isRunning && place.everyS * 1000, maxEdges: MAX_EDGES },
  )
  const [gone, setGone] = useState<GraphNode | null>(null)
  const chosen = place.node === null ? null : (graph.data?.model.nodes.get(place.node) ?? gone)

  // A node that is one url has its id.
  const nodeOf = (urlId: number | null): GraphNode | undefined => graph.data?.model.nodes.get(String(urlId))
  const open = (id: string): void => {
    const node = graph.data?.model.nodes.get(id)
    if (node === undefined) return
    if (node.url_id === null) go({ under: node.label, around: null, node: null, group: 'auto' }, true)
    else go({ around: node.url_id, node: id }, true)
  }
  const chooseUrl = (urlId: number): void => {
    const known = nodeOf(urlId)
    // A url that is not drawn is shown with those around it.
    if (known === undefined) go({ around: urlId, under: null, node: null }, true)
    else go({ node: known.id })
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {graph.data === undefined ? null : (
          <FindNode
            reading={graph.data}
            onFound={(node) => {
              setGone(node)
              go({ node: node.id })
            }}
          />
        )}
        <div className="grid w-full grid-cols-2 gap-x-3 gap-y-2 sm:flex sm:w-auto sm:flex-wrap">
          <GraphToolbar place={place} isLive={isRunning} onChange={go} />
        </div>
      </div>
      <Breadcrumbs place={place} around={nodeOf(place.around)?.label} onGo={(change) => go(change, true)} />
      {graph.isPending ? <Skeleton className="min-h-0 flex-1" /> : null}
      {graph.data === undefined && graph.isError ? (
        <ErrorState error={graph.error} onRetry={() => void graph.refetch()} />
      ) : null}
      {graph.data === undefined ? null : (
        <>
          <GraphSummary reading={graph.data} />
          <div className="flex flex-col gap-2 lg:min-h-0 lg:flex-1 lg:flex-row">
            <div className="h-[28rem] min-w-0 shrink-0 lg:h-auto lg:min-h-0 lg:flex-1 lg:shrink">
              {graph.data.model.nodes.size === 0 ? (
                <EmptyState icon="graph" title="Nothing has been found yet">
                  Nodes appear here as the crawl finds urls.
                </EmptyState>
              ) : (
                <GraphCanvas
                  reading={graph.data}
                  colour={place.colour}
                  // Around a url there are few, and they are what is asked for.
                  edges={place.around === null ? place.edges : 'links'}
                  chosen={place.node}
                  onChoose={(node) => go({ node })}
                  onOpen={open}
                />
              )}
            </div>
            {chosen === null ? null : (
              <NodePanel
                crawlId={crawlId}
                node={chosen}
                onClose={() => go({ node: null })}
                onAround={(around) => go({ around }, true)}
                onUnder={(under) => go({ under, around: null, node: null, group: 'auto' }, true)}
                onChooseUrl={chooseUrl}
              />
            )}
          </div>
        </>
      )}
    </>
  )
}

/** How much of the crawl is seen. */
function GraphSummary({ reading }: { reading: GraphSnapshot }) {
  const { model } = reading
  const drawn = plural(model.nodes.size, model.group)
  const urls = [...model.nodes.values()].reduce((sum, node) => sum + node.urls, 0)
  const more = model.totalNodes - model.nodes.size
  const links = Math.max(model.totalEdges, model.edges.size)
  const facts = [
    model.group === 'url' ? drawn : `${drawn} with ${plural(urls, 'url')}; open one to go into it`,
    more > 0 ? `${formatNumber(more)} more are not drawn` : null,
    more <= 0 && !model.isComplete && links <= MAX_EDGES ? 'more are not drawn' : null,
    links > MAX_EDGES ? `the heaviest ${formatNumber(MAX_EDGES)} of ${plural(links, 'link')}` : plural(links, 'link'),
  ]
  return (
    <p className="text-xs text-muted" role="status">
      {facts.filter((fact) => fact !== null).join('; ')}
    </p>
  )
}
