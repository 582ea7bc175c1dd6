import { VersionDiff } from '../../../components/diff/VersionDiff.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { useApi } from '../../../server/api.ts'
import { formatBytes } from '../../../text/format.ts'

/** All archived versions of a page, and the changes of the current version. */
export function VersionList({ pageId, onOpen }: { pageId: number; onOpen: (pageId: number) => void }) {
  const history = useApi('getPageHistory', { params: { page_id: pageId } })
  if (history.isPending) return <SkeletonRows rows={3} />
  if (history.isError) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  const { versions } = history.data
  const shown = versions.find(({ page_id }) => page_id === pageId)
  const previous = versions
    .filter(({ version, is_kept }) => is_kept && version < (shown?.version ?? 0))
    .toSorted((a, b) => b.version - a.version)[0]
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col">
        {versions.map((version) => (
          <li key={version.page_id} className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line py-1">
            <button
              type="button"
              disabled={!version.is_kept}
              aria-current={version.page_id === pageId ? 'true' : undefined}
              className={`font-medium ${version.is_kept ? 'text-accent underline' : 'text-muted'}`}
              onClick={() => onOpen(version.page_id)}
            >
              Version {version.version}
            </button>
            {version.page_id === pageId ? <Badge tone="accent">Shown</Badge> : null}
            <RelativeTime at={version.visited_at} />
            <span className="text-xs text-muted">
              {version.content_length === null ? '' : formatBytes(version.content_length)}
              {version.note === null ? '' : `, ${version.note}`}
            </span>
          </li>
        ))}
      </ul>
      {previous === undefined ? (
        <p className="text-muted">No earlier version with archived text to compare with.</p>
      ) : (
        <section aria-label="Changes since the previous version">
          <h3 className="mb-1 font-semibold">Text changes since version {previous.version}</h3>
          <VersionDiff before={previous.page_id} after={pageId} />
        </section>
      )}
    </div>
  )
}
