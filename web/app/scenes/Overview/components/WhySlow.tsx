import { Histogram } from '../../../components/charts/Histogram.tsx'
import { Button } from '../../../components/controls/Button.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { Skeleton } from '../../../components/display/Skeleton.tsx'
import { type Crawl, useApi } from '../../../server/api.ts'
import { settingLabel } from '../../../text/crawl-settings.ts'
import { formatDuration, formatShare } from '../../../text/format.ts'
import { isMeasuring } from '../is-measuring.ts'

const CAUSES = {
  politeness: 'Politeness',
  dns: 'Looking up names',
  connect: 'Connecting',
  origin: 'Waiting for the site',
  parse: 'Reading pages',
  documents: 'Waiting for the document reader',
  store: 'Writing the store',
  archive: 'Writing the archive',
  idle: 'Nothing to do',
  held: 'Held',
} as const

/** Where the time of the crawl goes, and the setting that would change it. */
export function WhySlow({
  crawl,
  className,
  onEdit,
}: {
  crawl: Crawl
  className: string
  /** Null: the caller may not change it. */
  onEdit: ((field: string) => void) | null
}) {
  const isRunning = crawl.status === 'running'
  const { data } = useApi(
    'getBottleneck',
    { params: { crawl_id: crawl.crawl_id } },
    { enabled: isRunning, refetchInterval: isRunning ? 3000 : false },
  )
  if (!isRunning) {
    return (
      <Card title="Why is it slow" className={className}>
        <p className="text-muted">Nobody works on this crawl now. Once it runs, this shows what it waits for.</p>
      </Card>
    )
  }
  if (data === undefined) {
    return (
      <Card title="Why is it slow" className={className}>
        <Skeleton className="h-24 w-full" />
      </Card>
    )
  }
  const rows = Object.entries(data.shares)
    .filter(([, share]) => share >= 0.005)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, share]) => ({ key: cause, label: CAUSES[cause as keyof typeof CAUSES], share }))
  const setting = data.setting
  return (
    <Card title="Why is it slow" aside={`last ${formatDuration(data.window_ms)}`} className={className}>
      <p>
        {data.cause === null && crawl.held === null && isMeasuring(crawl, Date.now()) ? 'Measuring.' : data.explanation}
      </p>
      {setting === null || onEdit === null ? null : (
        <Button icon="edit" className="my-2" onClick={() => onEdit(setting)}>
          Change {settingLabel(setting).toLowerCase()}
        </Button>
      )}
      <div className="mt-2">
        <Histogram
          label="Shares of the time"
          rows={rows.map(({ key, label, share }) => ({ key, label, count: share }))}
          format={formatShare}
        />
      </div>
    </Card>
  )
}
