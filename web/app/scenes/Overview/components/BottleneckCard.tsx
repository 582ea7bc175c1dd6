import { Histogram } from '../../../components/charts/Histogram.tsx'
import { Button } from '../../../components/controls/Button.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { Skeleton } from '../../../components/display/Skeleton.tsx'
import { type Crawl, useApi } from '../../../server/api.ts'
import { formatDuration, formatShare } from '../../../text/format.ts'
import { lowerFirst, spellOut } from '../../../text/words.ts'
import { isMeasuring } from '../is-measuring.ts'

const CAUSE_LABELS = {
  politeness: 'Politeness gap',
  dns: 'DNS lookup',
  connect: 'Connecting',
  origin: 'Site response',
  parse: 'Parsing',
  documents: 'Document reader',
  renderer: 'Renderer',
  proxy: 'Proxy',
  hooks: 'Hooks',
  store: 'Store',
  archive: 'Archive',
  idle: 'Idle',
  held: 'On hold',
} as const

/** Where the crawl spends its time, and the setting that would change it most. */
export function BottleneckCard({
  crawl,
  className,
  onEdit,
}: {
  crawl: Crawl
  className: string
  /** Null if the user may not edit the crawl. */
  onEdit: ((field: string) => void) | null
}) {
  const isRunning = crawl.status === 'running'
  const { data } = useApi(
    'getBottleneck',
    { params: { crawl_id: crawl.crawl_id } },
    { enabled: isRunning, refetchInterval: isRunning ? 3000 : false },
  )
  const settings = useApi('getSettings', {}, { staleTime: Number.POSITIVE_INFINITY })
  if (!isRunning) {
    return (
      <Card title="Bottleneck" className={className}>
        <p className="text-muted">
          {crawl.status === 'watching'
            ? 'Nothing is due. The crawl waits for its next visit.'
            : 'The crawl is paused. Resume it to see where its time goes.'}
        </p>
      </Card>
    )
  }
  if (data === undefined) {
    return (
      <Card title="Bottleneck" className={className}>
        <Skeleton className="h-24 w-full" />
      </Card>
    )
  }
  const rows = Object.entries(data.shares)
    .filter(([, share]) => share >= 0.005)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, share]) => ({ key: cause, label: CAUSE_LABELS[cause as keyof typeof CAUSE_LABELS], share }))
  const { setting } = data
  const label = settings.data?.items.find(({ name }) => name === setting)?.label
  return (
    <Card
      title="Bottleneck"
      aside={data.window_ms === 60_000 ? 'Last minute' : `Last ${formatDuration(data.window_ms)}`}
      className={className}
    >
      <p>
        {data.cause === null && crawl.held === null && isMeasuring(crawl, Date.now()) ? 'Measuring…' : data.explanation}
      </p>
      {setting === null || onEdit === null ? null : (
        <Button icon="edit" className="my-2" onClick={() => onEdit(setting)}>
          Edit {lowerFirst(label ?? spellOut(setting))}
        </Button>
      )}
      <div className="mt-2">
        <Histogram
          label="Time by cause"
          rows={rows.map(({ key, label, share }) => ({ key, label, count: share }))}
          format={formatShare}
          total={1}
        />
      </div>
    </Card>
  )
}
