import { useApi } from '../../server/api.ts'
import { DIFF_PROBLEM_TEXTS } from '../../text/changes.ts'
import { ErrorState } from '../display/EmptyState.tsx'
import { SkeletonRows } from '../display/Skeleton.tsx'
import { DiffView } from './DiffView.tsx'
import { VersionLinks } from './VersionLinks.tsx'

/** The differences between two archived versions of a page. */
export function VersionDiff({ before, after }: { before: number; after: number }) {
  const input = { params: { page_id: after }, query: { before } }
  const { data, error, refetch } = useApi('diffPages', input, { staleTime: 60_000 })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonRows rows={4} />
  return (
    <>
      <VersionLinks before={before} after={after} />
      {data.problem === null ? null : <p className="text-muted">{DIFF_PROBLEM_TEXTS[data.problem]}</p>}
      {data.diff === null ? null : <DiffView key={`${before} ${after}`} diff={data.diff} onIgnore={null} />}
    </>
  )
}
