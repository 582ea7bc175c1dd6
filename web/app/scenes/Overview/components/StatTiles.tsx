import type { ReactNode } from 'react'
import { Sparkline } from '../../../components/charts/Sparkline.tsx'
import { pageLimit } from '../../../components/crawl/CrawlBar.tsx'
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
import { isUnfinished } from '../../../text/states.ts'

const RECEIVED_HELP = 'Bytes of all responses as sent, often compressed. URLs and hosts show the size of the contents.'

/** The most important figures of a crawl. */
export function StatTiles({ crawl, className }: { crawl: Crawl; className: string }) {
  return (
    <dl
      className={`grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-6 ${className}`}
    >
      <StatTile label="Pages" note={pagesNote(crawl)}>
        {formatNumber(crawl.pages)}
      </StatTile>
      <ProgressTile crawl={crawl} />
      {isUnfinished(crawl.status) ? <LiveTiles crawl={crawl} /> : <FinishedTiles crawl={crawl} />}
    </dl>
  )
}

/** Towards the page limit if there is one: without it, all known URLs are the goal. */
function ProgressTile({ crawl }: { crawl: Crawl }) {
  const limit = pageLimit(crawl)
  const [done, goal] = limit === null ? [crawl.completed, crawl.total] : [crawl.pages, limit]
  const note = `${formatNumber(done)} of ${plural(goal, limit === null ? 'URL' : 'page')}`
  return (
    <StatTile label="Progress" note={note}>
      {goal === 0 ? '–' : formatShare(Math.min(1, done / goal))}
    </StatTile>
  )
}

function LiveTiles({ crawl }: { crawl: Crawl }) {
  const samples = useStore(getSampleStore(crawl.crawl_id))
  const isRunning = crawl.status === 'running'
  const recent = samples.slice(-60).map(({ pagesPerSecond }) => pagesPerSecond)
  return (
    <>
      <StatTile label="Rate" note={isRunning ? <Sparkline values={recent} width={88} height={16} /> : 'Not running'}>
        {isRunning ? `${formatRate(crawl.pages_per_second)} pages/s` : '–'}
      </StatTile>
      <StatTile
        label="Received"
        help={RECEIVED_HELP}
        note={isRunning ? `${formatBytes(crawl.bytes_per_second)}/s` : 'Over the network'}
      >
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
    </>
  )
}

function FinishedTiles({ crawl }: { crawl: Crawl }) {
  const { forbidden, not_found, http_error, failed } = crawl.states
  const problems = forbidden + not_found + http_error + failed
  return (
    <>
      <StatTile
        label="Duration"
        help="Time spent crawling, without pauses."
        note={
          crawl.finished_at === null ? (
            ''
          ) : (
            <>
              Ended <RelativeTime at={crawl.finished_at} />
            </>
          )
        }
      >
        {formatDuration(crawl.active_ms)}
      </StatTile>
      <StatTile label="Average rate" note="Over the duration">
        {crawl.active_ms === 0 || crawl.pages === 0
          ? '–'
          : `${formatRate(crawl.pages / (crawl.active_ms / 1000))} pages/s`}
      </StatTile>
      <StatTile label="Received" help={RECEIVED_HELP} note="Over the network">
        {formatBytes(crawl.bytes)}
      </StatTile>
      <StatTile
        label="Problems"
        help="Forbidden, not found, HTTP error or failed"
        note={`of ${plural(crawl.total, 'URL')}`}
      >
        {formatNumber(problems)}
      </StatTile>
    </>
  )
}

function timeLabel({ status }: Crawl): string {
  return status === 'watching' ? 'Next visit' : status === 'running' ? 'Time left' : 'Run time'
}

function timeValue({ status, next_visit_at, eta_seconds, active_ms, silent_hosts, in_flight }: Crawl): ReactNode {
  if (status === 'watching') return next_visit_at === null ? '–' : <RelativeTime at={next_visit_at} />
  // The rate of the last seconds says nothing about a site that does not answer.
  const isSilent = silent_hosts !== null && in_flight === 0
  return status === 'running' ? timeLeft(isSilent ? null : eta_seconds) : formatDuration(active_ms)
}

function timeLeft(seconds: number | null): string {
  if (seconds === null) return 'Unknown'
  const unit = seconds > 300 ? 60 : 1
  return `About ${formatDuration(Math.max(1, Math.round(seconds / unit)) * unit * 1000).replace('.0 s', ' s')}`
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
      <dd className="truncate text-base font-semibold tabular-nums">{children}</dd>
      <dd className="flex h-5 items-center gap-1 truncate text-xs text-muted tabular-nums">{note}</dd>
    </div>
  )
}

function pagesNote({ sitemaps, requisites }: Crawl): string {
  const note = plural(sitemaps, 'sitemap')
  return requisites === 0 ? note : `${note}, ${plural(requisites, 'requisite')}`
}
