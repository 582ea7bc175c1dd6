import type { ReactNode } from 'react'
import { Sparkline } from '../../../components/charts/Sparkline.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { useStore } from '../../../page/store.ts'
import type { Crawl } from '../../../server/api.ts'
import { getSampleStore } from '../../../server/progress-samples.ts'
import {
  formatBytes,
  formatDuration,
  formatNumber,
  formatRate,
  formatShare,
  formatShort,
  plural,
} from '../../../text/format.ts'

/** The most important figures of a crawl. */
export function StatTiles({ crawl, className }: { crawl: Crawl; className: string }) {
  const samples = useStore(getSampleStore(crawl.crawl_id))
  const isRunning = crawl.status === 'running'
  const recent = samples.slice(-60).map(({ pagesPerSecond }) => pagesPerSecond)
  return (
    <dl
      className={`grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-6 ${className}`}
    >
      <StatTile label="Pages" note={pagesNote(crawl)}>
        {formatNumber(crawl.pages)}
      </StatTile>
      <StatTile label="Progress" note={`${formatNumber(crawl.completed)} of ${formatNumber(crawl.total)}`}>
        {crawl.total === 0 ? '–' : formatShare(crawl.completed / crawl.total)}
      </StatTile>
      <StatTile label="Rate" note={isRunning ? <Sparkline values={recent} width={88} height={16} /> : 'Not running'}>
        {isRunning ? `${formatRate(crawl.pages_per_second)} pages/s` : '–'}
      </StatTile>
      <StatTile label="Size" note={isRunning ? `${formatBytes(crawl.bytes_per_second)}/s` : 'Received'}>
        {formatBytes(crawl.bytes)}
      </StatTile>
      <StatTile
        label="Requests in flight"
        help="Requests without a complete response yet. Leased URLs mostly wait for their turn at a host."
        note={`${formatShort(crawl.states.in_progress)} leased, ${formatShort(crawl.pending)} queued`}
      >
        {formatNumber(crawl.in_flight)}
      </StatTile>
      <StatTile
        label={timeLabel(crawl)}
        note={
          <>
            Started <RelativeTime at={crawl.created_at} />
          </>
        }
      >
        {timeValue(crawl)}
      </StatTile>
    </dl>
  )
}

function timeLabel({ status }: Crawl): string {
  return status === 'watching' ? 'Next visit' : status === 'running' ? 'Time left' : 'Run time'
}

function timeValue({ status, next_visit_at, eta_seconds, active_ms }: Crawl): ReactNode {
  if (status === 'watching') return next_visit_at === null ? '–' : <RelativeTime at={next_visit_at} />
  return status === 'running' ? timeLeft(eta_seconds) : formatDuration(active_ms)
}

function timeLeft(seconds: number | null): string {
  if (seconds === null) return 'Unknown'
  return `About ${formatDuration(Math.max(1, Math.round(seconds)) * 1000).replace('.0 s', ' s')}`
}

function StatTile({
  label,
  help,
  note,
  children,
}: {
  label: string
  help?: string
  note: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-col bg-surface px-3 py-2" title={help}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="truncate text-base font-semibold">{children}</dd>
      <dd className="flex h-5 items-center gap-1 truncate text-xs text-muted">{note}</dd>
    </div>
  )
}

function pagesNote({ sitemaps, requisites }: Crawl): string {
  const note = plural(sitemaps, 'sitemap')
  return requisites === 0 ? note : `${note}, ${plural(requisites, 'requisite')}`
}
