import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Tabs } from '../../components/controls/Tabs.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { Skeleton } from '../../components/display/Skeleton.tsx'
import { type EdgeChoice, MAX_EDGES, MAX_GROUP_EDGES, selectDrawnEdges } from '../../graph/drawn-edges.ts'
import type { GraphNode } from '../../graph/graph-model.ts'
import type { GraphSnapshot } from '../../graph/read-graph.ts'
import { showToast } from '../../page/toasts.ts'
import { useApi } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { isUnfinished } from '../../text/states.ts'
import { Breadcrumbs } from './components/Breadcrumbs.tsx'
import { FindNode } from './components/FindNode.tsx'
import { GraphCanvas } from './components/GraphCanvas.tsx'
import { GraphToolbar } from './components/GraphToolbar.tsx'
import { NodePanel } from './components/NodePanel.tsx'
import { Treemap } from './components/Treemap.tsx'
import { TreeView } from './components/TreeView.tsx'
import { useGraph } from './useGraph.ts'
import { type GraphViewState, readViewState, writeViewState } from './view-state.ts'

/** Characters of the labels of all open groups that the server accepts. */
const MAX_OPEN_LENGTH = 8192

const VIEW_TABS = [
  { id: 'graph', label: 'Graph' },
  { id: 'tree', label: 'Tree' },
  { id: 'treemap', label: 'Treemap' },
] as const

export function Graph({ crawlId }: { crawlId: string }) {
  const [params, setParams] = useSearchParams()
  const viewState = readViewState(params)
  const update = (change: Partial<GraphViewState>, isHistoryEntry = false): void =>
    setParams((before) => writeViewState({ ...readViewState(before), ...change }), { replace: !isHistoryEntry })

  return (
    <div className="flex min-h-full flex-col gap-2 px-4 py-2 md:px-6 lg:h-full lg:min-h-[32rem]">
      <Tabs label="View" tabs={VIEW_TABS} current={viewState.view} onSelect={(view) => update({ view })} />
      {viewState.view === 'treemap' ? <Treemap crawlId={crawlId} viewState={viewState} update={update} /> : null}
      {viewState.view === 'tree' ? (
        <TreeView
          crawlId={crawlId}
          onShowInGraph={(under) => update({ view: 'graph', under, open: [], around: null, node: null }, true)}
        />
      ) : null}
      {viewState.view === 'graph' ? <GraphPane crawlId={crawlId} viewState={viewState} update={update} /> : null}
    </div>
  )
}

function GraphPane({
  crawlId,
  viewState,
  update,
}: {
  crawlId: string
  viewState: GraphViewState
  update: (change: Partial<GraphViewState>, isHistoryEntry?: boolean) => void
}) {
  const crawl = useApi('getCrawl', { params: { crawl_id: crawlId } })
  const isRunning = crawl.data !== undefined && isUnfinished(crawl.data.status)
  const isLarge = crawl.data !== undefined && crawl.data.total > viewState.limit
  const graph = useGraph(
    crawlId,
    { ...viewState, isLarge },
    { intervalMs: isRunning && viewState.everyS * 1000, maxEdges: MAX_EDGES },
  )
  // Keeps the panel open if the found node is not part of the next snapshot.
  const [foundNode, setFoundNode] = useState<GraphNode | null>(null)
  const selected = viewState.node === null ? null : (graph.data?.model.nodes.get(viewState.node) ?? foundNode)

  // The id of a URL node is its URL id.
  const findUrlNode = (urlId: number | null): GraphNode | undefined => graph.data?.model.nodes.get(String(urlId))
  const openGroup = (label: string): void => {
    if (viewState.open.includes(label)) return
    if ([...viewState.open, label].join(' ').length > MAX_OPEN_LENGTH)
      return showToast('Too many groups are open. Close some above the graph, then open this one.', 'bad')
    update(
      {
        open: [...viewState.open, label],
        around: null,
        node: null,
        group: viewState.group === 'host' ? 'path' : viewState.group,
      },
      true,
    )
  }
  const open = (id: string): void => {
    const node = graph.data?.model.nodes.get(id)
    if (node === undefined) return
    if (node.url_id === null) openGroup(node.label)
    else update({ around: node.url_id, node: id }, true)
  }
  const selectUrl = (urlId: number): void => {
    const node = findUrlNode(urlId)
    // A URL that is not drawn is shown with its neighbours.
    if (node === undefined) update({ around: urlId, under: null, node: null }, true)
    else update({ node: node.id })
  }

  // A neighbourhood has few links, and they are its point.
  const edges = viewState.around === null ? viewState.edges : 'links'

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {graph.data === undefined ? null : (
          <FindNode
            snapshot={graph.data}
            onFound={(node) => {
              setFoundNode(node)
              update({ node: node.id })
            }}
          />
        )}
        <div className="grid w-full grid-cols-2 gap-x-3 gap-y-2 sm:flex sm:w-auto sm:flex-wrap">
          <GraphToolbar viewState={viewState} isLive={isRunning} onChange={update} />
        </div>
      </div>
      <Breadcrumbs
        viewState={viewState}
        around={findUrlNode(viewState.around)?.label}
        onGo={(change) => update(change, true)}
      />
      {graph.isPending ? <Skeleton className="min-h-0 flex-1" /> : null}
      {graph.data === undefined && graph.isError ? (
        <ErrorState error={graph.error} onRetry={() => void graph.refetch()} />
      ) : null}
      {graph.data === undefined ? null : (
        <>
          <GraphSummary snapshot={graph.data} edges={edges} />
          <div className="flex flex-col gap-2 lg:min-h-0 lg:flex-1 lg:flex-row">
            <div className="h-[28rem] min-w-0 shrink-0 lg:h-auto lg:min-h-0 lg:flex-1 lg:shrink">
              {graph.data.model.nodes.size === 0 ? (
                <EmptyState icon="graph" title="No URLs yet">
                  Nodes appear here as the crawl discovers URLs.
                </EmptyState>
              ) : (
                <GraphCanvas
                  snapshot={graph.data}
                  colour={viewState.colour}
                  edges={edges}
                  selected={viewState.node}
                  onSelect={(node) => update({ node })}
                  onOpen={open}
                />
              )}
            </div>
            {selected === null ? null : (
              <NodePanel
                crawlId={crawlId}
                node={selected}
                onClose={() => update({ node: null })}
                onShowNeighbours={(around) => update({ around }, true)}
                onOpenGroup={openGroup}
                onSelectUrl={selectUrl}
              />
            )}
          </div>
        </>
      )}
    </>
  )
}

/** How much of the crawl is drawn. */
function GraphSummary({ snapshot, edges }: { snapshot: GraphSnapshot; edges: EdgeChoice }) {
  const { model } = snapshot
  const nodes = [...model.nodes.values()]
  const urls = nodes.reduce((sum, node) => sum + node.urls, 0)
  const isMap = model.group !== 'url'
  const hidden = model.totalNodes - model.nodes.size
  const drawn = selectDrawnEdges(model, edges, isMap ? MAX_GROUP_EDGES : MAX_EDGES).length
  const links = Math.max(model.totalEdges, model.edges.size)
  const facts = [
    isMap
      ? `${plural(urls, 'URL')} in ${plural(nodes.length, 'circle')} (double-click one to open it)`
      : plural(urls, 'URL'),
    hidden > 0 ? `${formatNumber(hidden)} more not drawn` : null,
    edges === 'lineage'
      ? plural(drawn, 'discovery link')
      : drawn < links
        ? `the strongest ${formatNumber(drawn)} of ${plural(links, isMap ? 'connection' : 'link')}`
        : plural(drawn, isMap ? 'connection' : 'link'),
  ]
  return (
    <p className="text-xs text-muted" role="status">
      {facts.filter((fact) => fact !== null).join('; ')}
    </p>
  )
}
