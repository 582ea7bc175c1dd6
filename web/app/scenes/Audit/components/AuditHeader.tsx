import { Button } from '../../../components/controls/Button.tsx'
import { DownloadLink } from '../../../components/controls/DownloadLink.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { routeUrl } from '../../../server/api.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import { type Audit, countBySeverity, endText, openUrlsText, progressText, SEVERITY_STYLES } from '../audit-text.ts'

/** When the site was audited, how much was found, and the running audit. */
export function AuditHeader({
  report,
  isRunning,
  canRun,
  isBusy,
  onStart,
  onCancel,
}: {
  report: Audit
  isRunning: boolean
  canRun: boolean
  isBusy: boolean
  onStart: () => void
  onCancel: () => void
}) {
  const { run, finished_at: finishedAt } = report
  const problem = run === null ? null : endText(run)
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {finishedAt === null ? (
          <h2 className="font-semibold">First audit of this crawl</h2>
        ) : (
          <Counts report={report} />
        )}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {finishedAt === null ? null : (
            <DownloadLink href={routeUrl('exportAudit', { params: { crawl_id: report.crawl_id }, query: {} })}>
              Export CSV
            </DownloadLink>
          )}
          {canRun && !isRunning ? (
            <Button icon="rerun" disabled={isBusy} onClick={onStart}>
              Audit again
            </Button>
          ) : null}
          {canRun && isRunning ? (
            <Button icon="stop" disabled={isBusy} onClick={onCancel}>
              Cancel audit
            </Button>
          ) : null}
        </div>
      </div>
      {finishedAt === null ? null : <Extent report={report} finishedAt={finishedAt} />}
      {isRunning && run !== null ? <Progress text={progressText(run)} done={run.done} total={run.total} /> : null}
      {problem === null ? null : <p className="mt-2 text-bad">{problem}</p>}
    </Card>
  )
}

function Counts({ report }: { report: Audit }) {
  const counts = countBySeverity(report.rules)
  return (
    <ul className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {(['error', 'warning', 'notice'] as const).map((severity) => (
        <li key={severity} className="flex items-center gap-1.5">
          <Badge tone={counts[severity] === 0 ? 'good' : SEVERITY_STYLES[severity].tone}>
            {SEVERITY_STYLES[severity].plural}
          </Badge>
          <span className="text-base font-semibold tabular-nums">{formatNumber(counts[severity])}</span>
        </li>
      ))}
    </ul>
  )
}

function Extent({ report, finishedAt }: { report: Audit; finishedAt: string }) {
  const { urls, pages, unread_pages: unread } = report
  const openText = openUrlsText(report)
  const unreadText = unread === 0 ? '' : `, ${formatNumber(unread)} could not be read`
  return (
    <p className="mt-2 text-xs text-muted">
      Audited <RelativeTime at={finishedAt} />: {plural(urls, 'URL')}, {plural(pages, 'archived page')} examined
      {unreadText}.{openText === null ? null : <span className="block text-warn">{openText}</span>}
    </p>
  )
}

function Progress({ text, done, total }: { text: string; done: number; total: number }) {
  const percent = total === 0 ? 0 : Math.min(100, (100 * done) / total)
  return (
    <div className="mt-3" role="status">
      <p className="mb-1 text-xs text-muted">{text}</p>
      <div className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
