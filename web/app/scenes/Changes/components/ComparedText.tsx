import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { DiffView } from '../../../components/diff/DiffView.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { type Crawl, errorMessage } from '../../../server/api.ts'
import { DIFF_PROBLEM_TEXTS } from '../../../text/changes.ts'
import { isUnfinished } from '../../../text/states.ts'
import { useIgnoreLine } from '../useIgnoreLine.ts'
import { IgnoredLine } from './IgnoredLine.tsx'

export type ChangeWithDiff = RouteResponse<'getChange'>

/** The differences of a change. The user can ignore lines of it. */
export function ComparedText({ crawl, change }: { crawl: Crawl; change: ChangeWithDiff }) {
  const canIgnore = useHasScope('crawl') && isUnfinished(crawl.status)
  const { ignored, ignore, undo, isBusy, error } = useIgnoreLine(crawl)
  if (change.problem !== null) return <p className="text-muted">{DIFF_PROBLEM_TEXTS[change.problem]}</p>
  if (change.diff === null) return null
  return (
    <div className="flex flex-col gap-2">
      {ignored === null ? null : <IgnoredLine line={ignored} crawlId={crawl.crawl_id} isBusy={isBusy} onUndo={undo} />}
      {error === null ? null : (
        <p role="alert" className="text-bad">
          {errorMessage(error)}
        </p>
      )}
      <DiffView diff={change.diff} onIgnore={canIgnore && !isBusy ? ignore : null} />
    </div>
  )
}
