import { useState } from 'react'
import { Link } from 'wouter'
import { Histogram, type HistogramRow } from '../../../components/charts/Histogram.tsx'
import { Tabs } from '../../../components/controls/Tabs.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { urlsHref } from '../../../page/navigation.ts'
import type { Crawl, Stats } from '../../../server/api.ts'
import { formatDuration } from '../../../text/format.ts'
import { reasonText } from '../../../text/reasons.ts'

const MAX_ROWS = 10

interface Props {
  stats: Stats | undefined
  className: string
}

export function StatusCodes({ crawlId, stats, className }: Props & { crawlId: string }) {
  const rows = stats?.status_codes.map(({ key, count }) => ({
    key,
    label: (
      <Link href={urlsHref(crawlId, { status: key })} className="hover:underline">
        {key}
      </Link>
    ),
    count,
    colour: statusColour(key),
  }))
  return <Bars title="Status codes" rows={rows} className={className} />
}

export function Depths({ crawlId, stats, className }: Props & { crawlId: string }) {
  const rows = stats?.depths.map(({ depth, count }) => ({
    key: String(depth),
    label: (
      <Link href={urlsHref(crawlId, { depth })} className="hover:underline">
        {depth === 0 ? 'Start URLs' : `Depth ${depth}`}
      </Link>
    ),
    count,
  }))
  return <Bars title="Depth" rows={rows} className={className} />
}

export function FetchTimes({ stats, className }: Props) {
  const histogram = stats?.fetch_ms.histogram
  const last = histogram?.findLastIndex(({ count }) => count > 0) ?? -1
  const rows = histogram?.slice(0, last + 1).map(({ up_to, count }) => ({
    key: String(up_to),
    label: up_to === null ? 'Longer' : `≤ ${formatDuration(up_to)}`,
    count,
  }))
  const aside = stats === undefined || last === -1 ? undefined : `Median ${formatDuration(stats.fetch_ms.p50)}`
  return <Bars title="Response time distribution" aside={aside} rows={rows} className={className} />
}

/** Reasons of URL outcomes and of rejected links. */
export function Reasons({ crawl, stats, className }: Props & { crawl: Crawl }) {
  const [tab, setTab] = useState<'urls' | 'links'>('urls')
  const links = Object.entries(crawl.rejected).map(([key, count]) => {
    return { key, label: <ReasonLabel reason={key} />, count }
  })
  const urls = stats?.reasons.map(({ key, count }) => ({
    key,
    label: (
      <Link href={urlsHref(crawl.crawl_id, { reason: key })} className="hover:underline">
        <ReasonLabel reason={key} />
      </Link>
    ),
    count,
  }))
  const rows = tab === 'urls' ? urls : links.toSorted((a, b) => b.count - a.count)
  return (
    <Card title="Reasons" className={className}>
      <div className="-mt-1 mb-3">
        <Tabs
          label="Reasons"
          tabs={[
            { id: 'urls', label: 'URLs' },
            { id: 'links', label: 'Rejected links' },
          ]}
          current={tab}
          onSelect={setTab}
        />
      </div>
      <Rows label="Reasons" rows={rows} none={tab === 'urls' ? 'None besides the HTTP status' : 'None'} />
    </Card>
  )
}

/** The title has the code too, since the URL table filters by it. */
function ReasonLabel({ reason }: { reason: string }) {
  const text = reasonText(reason)
  return <span title={`${text} (${reason})`}>{text}</span>
}

function Bars({
  title,
  aside,
  rows,
  className,
}: {
  title: string
  aside?: string | undefined
  rows: HistogramRow[] | undefined
  className: string
}) {
  return (
    <Card title={title} aside={aside} className={className}>
      <Rows label={title} rows={rows} />
    </Card>
  )
}

function Rows({ label, rows, none = 'None' }: { label: string; rows: HistogramRow[] | undefined; none?: string }) {
  if (rows === undefined) return <SkeletonRows rows={3} />
  if (rows.length === 0) return <p className="text-muted">{none}</p>
  return (
    <>
      <Histogram label={label} rows={rows.slice(0, MAX_ROWS)} total={rows.reduce((sum, { count }) => sum + count, 0)} />
      {rows.length > MAX_ROWS ? <p className="mt-1 text-xs text-muted">{rows.length - MAX_ROWS} more</p> : null}
    </>
  )
}

function statusColour(status: string): string {
  if (status.startsWith('2')) return 'var(--state-visited)'
  if (status.startsWith('3')) return 'var(--state-redirected)'
  if (status === '404' || status === '410') return 'var(--state-not_found)'
  if (status === '401' || status === '403') return 'var(--state-forbidden)'
  return 'var(--state-http_error)'
}
