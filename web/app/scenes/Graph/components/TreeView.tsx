import { useState } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../../../components/controls/Button.tsx'
import { StateBadge } from '../../../components/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { Icon } from '../../../components/display/Icon.tsx'
import { Skeleton } from '../../../components/display/Skeleton.tsx'
import { type Branch, listBranches } from '../../../graph/branches.ts'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import { useGraph } from '../useGraph.ts'

/** Maximum number of nodes per level; the server groups larger levels. */
const LEVEL_LIMIT = 500

interface Tree {
  crawlId: string
  onShowInGraph: (under: string) => void
}

/** The site as a tree of paths. A level is loaded when it is opened. */
export function TreeView({ crawlId, onShowInGraph }: Tree) {
  return (
    <nav aria-label="Site tree" className="min-h-0 flex-1 overflow-y-auto rounded-lg border border-line bg-surface p-2">
      <Level under={null} urls={0} tree={{ crawlId, onShowInGraph }} />
    </nav>
  )
}

function Level({ under, urls, tree }: { under: string | null; urls: number; tree: Tree }) {
  const graph = useGraph(
    tree.crawlId,
    { group: under === null ? 'host' : 'auto', limit: LEVEL_LIMIT, around: null, under, isLarge: false },
    { intervalMs: false, maxEdges: 0 },
  )
  if (graph.isPending) return <Skeleton className="my-1 h-6 w-64" />
  if (graph.data === undefined) return <ErrorState error={graph.error} onRetry={() => void graph.refetch()} />
  const branches = listBranches(under, graph.data.model.nodes.values())
  const missing = urls - branches.reduce((sum, branch) => sum + branch.urls, 0)
  if (branches.length === 0) return <EmptyState icon="tree" title="No URLs yet" />
  return (
    <ul>
      {branches.map((branch) => (
        <BranchRow key={branch.under} branch={branch} parent={under} tree={tree} isAlone={branches.length === 1} />
      ))}
      {missing > 0 && under !== null ? (
        <li className="py-1 pl-7 text-muted">
          {formatNumber(missing)} more in the{' '}
          <Link href={urlsHref(tree.crawlId, { text: under })} className="text-accent underline">
            URL table
          </Link>
        </li>
      ) : null}
    </ul>
  )
}

function BranchRow({
  branch,
  parent,
  tree,
  isAlone,
}: {
  branch: Branch
  parent: string | null
  tree: Tree
  isAlone: boolean
}) {
  const [isOpen, setIsOpen] = useState(isAlone && parent === null)
  if (branch.url !== null) return <UrlRow branch={branch} tree={tree} />
  // A group without further levels cannot be opened, only shown in the graph.
  const isBottom = branch.under === parent
  return (
    <li>
      <div className="flex h-8 items-center gap-1 rounded hover:bg-hover">
        <button
          type="button"
          aria-expanded={isOpen}
          disabled={isBottom}
          onClick={() => setIsOpen(!isOpen)}
          className="flex h-full min-w-0 flex-1 items-center gap-2 rounded px-1 text-left disabled:cursor-default"
        >
          <Icon
            name="right"
            size={14}
            className={`text-muted transition-transform ${isOpen ? 'rotate-90' : ''} ${isBottom ? 'opacity-0' : ''}`}
          />
          <span className="min-w-0 truncate">{branch.name}</span>
          <span className="shrink-0 text-xs text-muted">{plural(branch.urls, 'URL')}</span>
        </button>
        <IconButton
          label={`Show ${branch.name} in graph`}
          icon="graph"
          tip="left"
          onClick={() => tree.onShowInGraph(branch.under)}
        />
      </div>
      {isOpen ? (
        <div className="ml-3 border-l border-line pl-2">
          <Level under={branch.under} urls={branch.urls} tree={tree} />
        </div>
      ) : null}
    </li>
  )
}

function UrlRow({ branch, tree }: { branch: Branch; tree: Tree }) {
  const node = branch.url
  if (node === null || node.url_id === null) return null
  return (
    <li className="flex h-8 items-center gap-3 rounded pr-2 pl-7 hover:bg-hover">
      <Link
        href={urlHref(tree.crawlId, node.url_id)}
        title={node.label}
        className="min-w-0 flex-1 truncate hover:underline"
      >
        {branch.name}
      </Link>
      {node.state === null ? null : <StateBadge state={node.state} />}
    </li>
  )
}
