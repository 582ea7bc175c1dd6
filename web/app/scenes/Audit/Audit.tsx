import { useMutation } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { withValues } from '../../page/query.ts'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, queryClient, toQueryKey, useApi } from '../../server/api.ts'
import { UrlDetailsDrawer } from '../Urls/components/UrlDetailsDrawer.tsx'
import type { Audit as AuditReport } from './audit-text.ts'
import { AuditHeader } from './components/AuditHeader.tsx'
import { RuleFindings } from './components/RuleFindings.tsx'
import { RuleLists } from './components/RuleLists.tsx'

const REFRESH_MS = 1000

export function Audit({ crawlId }: { crawlId: string }) {
  const [query, setQuery] = useSearchParams()
  const input = { params: { crawl_id: crawlId } }
  const audit = useApi('getAudit', input, {
    refetchInterval: ({ state }) => isRunning(state.data) && REFRESH_MS,
  })
  const canRun = useHasScope('crawl')
  const control = useMutation({
    mutationFn: (action: 'start' | 'cancel') =>
      action === 'start' ? client.startAudit(input) : client.cancelAudit(input),
    onSuccess: (report) => queryClient.setQueryData(toQueryKey('getAudit', input), report),
    onError: (error) => showToast(errorMessage(error), 'bad'),
  })
  const report = audit.data
  if (report === undefined) {
    if (audit.error === null) return <SkeletonRows rows={8} />
    return <ErrorState error={audit.error} onRetry={() => void audit.refetch()} />
  }
  const rule = report.rules.find((item) => item.rule === query.get('rule'))
  const urlId = Number(query.get('url'))
  const isEmpty = report.finished_at === null && !isRunning(report)
  return (
    <div className="flex flex-col gap-3 p-4 md:px-6">
      {isEmpty || (rule !== undefined && !isRunning(report)) ? null : (
        <AuditHeader
          report={report}
          isRunning={isRunning(report)}
          canRun={canRun}
          isBusy={control.isPending}
          onStart={() => control.mutate('start')}
          onCancel={() => control.mutate('cancel')}
        />
      )}
      {isEmpty ? (
        <NoAudit report={report} canRun={canRun} isBusy={control.isPending} onStart={() => control.mutate('start')} />
      ) : null}
      {report.finished_at === null ? null : rule === undefined ? (
        <RuleLists rules={report.rules} />
      ) : (
        <RuleFindings
          key={rule.rule}
          crawlId={crawlId}
          rule={rule}
          auditedAt={report.finished_at}
          hrefOf={(id) => `?${withValues(query, { url: String(id) })}`}
        />
      )}
      {urlId > 0 ? (
        <UrlDetailsDrawer
          key={urlId}
          crawlId={crawlId}
          urlId={urlId}
          onPrevious={undefined}
          onNext={undefined}
          onClose={() => setQuery(withValues(query, { url: '' }))}
        />
      ) : null}
    </div>
  )
}

function isRunning(report: AuditReport | undefined): boolean {
  return report?.run?.state === 'running' || report?.run?.state === 'waiting'
}

function NoAudit({
  report,
  canRun,
  isBusy,
  onStart,
}: {
  report: AuditReport
  canRun: boolean
  isBusy: boolean
  onStart: () => void
}) {
  const start = (
    <Button variant="primary" icon="check" disabled={isBusy} onClick={onStart}>
      Run audit
    </Button>
  )
  return (
    <EmptyState icon="gauge" title="Not audited yet" action={canRun ? start : undefined}>
      An audit checks the pages of this crawl with {report.rules.length} rules: broken links, redirects, duplicates,
      titles, headings, images, languages, security and more. It reads what was crawled and sends no requests.
    </EmptyState>
  )
}
