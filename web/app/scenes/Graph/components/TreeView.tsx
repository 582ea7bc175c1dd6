import { useState } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../../../components/controls/Button.tsx'
import { StateBadge } from '../../../components/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { Icon } from '../../../components/display/Icon.tsx'
import { Skeleton } from '../../../components/display/Skeleton.tsx'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { useApi } from '../../../server/api.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import type { FolderFigures, OwnUrl } from '../../../treemap/cells.ts'
import { cellName } from '../../../treemap/texts.ts'

/** Folders and URLs per level. */
const LEVEL_LIMIT = 500

interface Tree {
  crawlId: string
  onShowInGraph: (under: string) => void
}

/** The site as a tree of paths. A level is loaded when it is opened. */
export function TreeView({ crawlId, onShowInGraph }: Tree) {
  return (
    <nav aria-label="Site tree" className="min-h-0 flex-1 overflow-y-auto rounded-lg border border-line bg-surface p-2">
      <Level under={null} tree={{ crawlId, onShowInGraph }} />
    </nav>
  )
}

function Level({ under, tree }: { under: string | null; tree: Tree }) {
  const level = useApi('getFolders', {
    params: { crawl_id: tree.crawlId },
    query: { limit: LEVEL_LIMIT, ...(under === null ? {} : { under }) },
  })
  if (level.isPending) return <Skeleton className="my-1 h-6 w-64" />
  if (level.data === undefined) return <ErrorState error={level.error} onRetry={() => void level.refetch()} />
  const { folders, own_urls: urls } = level.data
  const shown = folders.reduce((sum, folder) => sum + folder.urls, urls.length)
  const missing = level.data.urls - shown
  const isOnlyFolder = folders.length === 1 && urls.length === 0
  if (level.data.urls === 0) return <EmptyState icon="tree" title="No URLs yet" />
  return (
    <ul>
      {folders.map((folder, i) => (
        <FolderRow
          key={folder.label}
          folder={folder}
          tree={tree}
          isOpenAtFirst={isOnlyFolder || (under === null && i === 0)}
        />
      ))}
      {urls.map((url) => (
        <UrlRow key={url.url_id} url={url} tree={tree} />
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

function FolderRow({ folder, tree, isOpenAtFirst }: { folder: FolderFigures; tree: Tree; isOpenAtFirst: boolean }) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <li>
      <div className="flex h-8 items-center gap-1 rounded hover:bg-hover">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex h-full min-w-0 flex-1 items-center gap-2 rounded px-1 text-left"
        >
          <Icon name="right" size={14} className={`text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`} />
          <span className="min-w-0 truncate">{cellName({ kind: 'folder', folder })}</span>
          <span className="shrink-0 text-xs text-muted">{plural(folder.urls, 'URL')}</span>
        </button>
        <IconButton
          label={`Show ${folder.name} in graph`}
          icon="graph"
          tip="left"
          onClick={() => tree.onShowInGraph(folder.label)}
        />
      </div>
      {isOpen ? (
        <div className="ml-3 border-l border-line pl-2">
          <Level under={folder.label} tree={tree} />
        </div>
      ) : null}
    </li>
  )
}

function UrlRow({ url, tree }: { url: OwnUrl; tree: Tree }) {
  return (
    <li className="flex h-8 items-center gap-3 rounded pr-2 pl-7 hover:bg-hover">
      <Link
        href={urlHref(tree.crawlId, url.url_id)}
        title={url.url}
        className="min-w-0 flex-1 truncate hover:underline"
      >
        {cellName({ kind: 'url', url })}
      </Link>
      <StateBadge state={url.state} />
    </li>
  )
}
