import { Link } from 'wouter'
import { CrawlBar, pageLimit } from '../../../components/crawl/CrawlBar.tsx'
import { StatusBadge } from '../../../components/display/Badge.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { UrlText } from '../../../components/display/UrlText.tsx'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { useMostCommonReason } from '../../../hooks/useMostCommonReason.ts'
import type { CrawlProgress } from '../../../server/api.ts'
import {
  formatBytes,
  formatDuration,
  formatNumber,
  formatRate,
  formatShort,
  plural,
  shortUrl,
} from '../../../text/format.ts'
import { endText, holdText, reasonText, silenceText } from '../../../text/reasons.ts'
import { crawlStatusStyle } from '../../../text/states.ts'
import { lowerFirst } from '../../../text/words.ts'

/** A table; a list on a phone. */
export function CrawlTable({ crawls }: { crawls: readonly CrawlProgress[] }) {
  const isNarrow = useIsNarrow()
  if (isNarrow) {
    return (
      <ul>
        {crawls.map((crawl) => (
          <CrawlItem key={crawl.crawl_id} crawl={crawl} />
        ))}
      </ul>
    )
  }
  return (
    <Table label="Crawls">
      <thead>
        <tr>
          <Th>Site</Th>
          <Th>Status</Th>
          <Th className="w-[30%]">Progress</Th>
          <Th className="text-right">Pages</Th>
          <Th className="text-right">Rate</Th>
          <Th className="text-right">Received</Th>
          <Th>Started</Th>
          <Th className="text-right">Run time</Th>
        </tr>
      </thead>
      <tbody>
        {crawls.map((crawl) => (
          <CrawlRow key={crawl.crawl_id} crawl={crawl} />
        ))}
      </tbody>
    </Table>
  )
}

function CrawlRow({ crawl }: { crawl: CrawlProgress }) {
  return (
    <Tr className="relative">
      <Td className="max-w-72 py-1.5">
        <CrawlLink crawl={crawl} />
        <Note crawl={crawl} />
      </Td>
      <Td>
        <StatusBadge crawl={crawl} />
      </Td>
      <Td>
        <div className="flex min-w-52 items-center gap-3">
          <CrawlBar crawl={crawl} />
          <span className="w-32 shrink-0 text-right text-xs whitespace-nowrap text-muted">{progressText(crawl)}</span>
        </div>
      </Td>
      <Td className="text-right">{formatNumber(crawl.pages)}</Td>
      <Td className="text-right whitespace-nowrap">
        {crawl.status === 'running' ? `${formatRate(crawl.pages_per_second)}/s` : <span className="text-muted">–</span>}
      </Td>
      <Td className="text-right whitespace-nowrap">{formatBytes(crawl.bytes)}</Td>
      <Td>
        <RelativeTime at={crawl.created_at} />
      </Td>
      <Td className="text-right whitespace-nowrap">{formatDuration(crawl.active_ms)}</Td>
    </Tr>
  )
}

function CrawlItem({ crawl }: { crawl: CrawlProgress }) {
  return (
    <li className="relative flex flex-col gap-1.5 border-b border-line p-3 last:border-b-0 hover:bg-hover">
      <div className="flex items-center justify-between gap-3">
        <CrawlLink crawl={crawl} />
        <StatusBadge crawl={crawl} />
      </div>
      <CrawlBar crawl={crawl} />
      <div className="flex justify-between gap-3 text-xs text-muted">
        <span>
          {progressText(crawl)}, {pageLimit(crawl) === null ? `${plural(crawl.pages, 'page')}, ` : ''}
          {formatBytes(crawl.bytes)}
          {crawl.status === 'running' ? `, ${formatRate(crawl.pages_per_second)}/s` : ''}
        </span>
        <RelativeTime at={crawl.created_at} />
      </div>
      {crawlStatusStyle(crawl).isWarning ? <Note crawl={crawl} /> : null}
    </li>
  )
}

/** A link that covers the whole row. */
function CrawlLink({ crawl }: { crawl: CrawlProgress }) {
  return (
    <Link
      href={`/crawls/${crawl.crawl_id}`}
      aria-label={shortUrl(crawl.root_url)}
      className="block min-w-0 font-medium after:absolute after:inset-0"
    >
      <UrlText text={shortUrl(crawl.root_url)} />
    </Link>
  )
}

function progressText(crawl: CrawlProgress): string {
  const limit = pageLimit(crawl)
  return limit === null
    ? `${formatShort(crawl.completed)} of ${formatShort(crawl.total)} URLs`
    : `${formatShort(crawl.pages)} of ${formatShort(limit)} pages`
}

function Note({ crawl }: { crawl: CrawlProgress }) {
  const reason = useMostCommonReason(crawl)
  return <span className="block truncate text-xs text-muted">{noteText(crawl, reason)}</span>
}

function noteText(crawl: CrawlProgress, commonReason: string | null): string {
  if (crawl.held !== null) return holdText(crawl.held)
  if (crawl.silent_hosts !== null) return `Waiting for the site: ${silenceText(crawl.silent_hosts)}`
  if (commonReason !== null) return `Reason: ${lowerFirst(reasonText(commonReason))}`
  return crawl.reason === null ? crawl.crawl_id : `Stopped early: ${endText(crawl.reason)}`
}
