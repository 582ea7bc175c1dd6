import { Badge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { TextDiff } from '../../../components/display/TextDiff.tsx'
import { useApi } from '../../../server/api.ts'
import { formatBytes } from '../../../text/format.ts'

/** All archived versions of a page, and the changes of the current one. */
export function VersionList({ pageId, onOpen }: { pageId: number; onOpen: (pageId: number) => void }) {
  const history = useApi('getPageHistory', { params: { page_id: pageId } })
  if (history.isPending) return <SkeletonRows rows={3} />
  if (history.isError) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  const { versions, diff } = history.data
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
      {diff === null ? (
        <p className="text-muted">No earlier version with archived text to compare with.</p>
      ) : (
        <section aria-label="Text changes">
          <h3 className="mb-1 font-semibold">Text changes since the previous version</h3>
          {diff.every((part) => part.kind === 'same') ? (
            <p className="text-muted">The text has not changed.</p>
          ) : (
            <TextDiff parts={diff} />
          )}
        </section>
      )}
    </div>
  )
}
