import { Link } from 'wouter'
import { LedgerBar } from '../../../components/charts/LedgerBar.tsx'
import { DotBadge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { urlsHref } from '../../../page/navigation.ts'
import type { Crawl, Stats } from '../../../server/api.ts'
import { formatNumber, formatShare, plural } from '../../../text/format.ts'
import { ledgerParts } from '../../../text/ledger.ts'
import { endText } from '../../../text/reasons.ts'

/** The ledger. Every URL is in exactly one part; the total shown is the sum of the counts. */
export function LedgerCard({ crawl, stats }: { crawl: Crawl; stats: Stats | undefined }) {
  const parts = ledgerParts(crawl.states, stats?.reasons)
  const sum = parts.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title="URL states" aside={plural(sum, 'URL')}>
      <LedgerBar states={crawl.states} reasons={stats?.reasons ?? []} height="h-3" />
      <ul className="mt-3 grid gap-x-6 sm:grid-cols-2 2xl:grid-cols-3">
        {parts.map(({ key, label, colour, help, count, filter }) => (
          <li key={key}>
            <Link
              href={urlsHref(crawl.crawl_id, filter)}
              title={help}
              className="-mx-1.5 flex h-7 items-center justify-between gap-2 rounded px-1.5 hover:bg-hover"
            >
              <span className={`min-w-0 truncate ${count === 0 ? 'text-muted' : ''}`}>
                <DotBadge colour={colour} label={label} />
              </span>
              <span className={`ml-auto tabular-nums ${count === 0 ? 'text-muted' : 'font-medium'}`}>
                {formatNumber(count)}
              </span>
              <span className="w-12 text-right text-xs text-muted">{count === 0 ? '' : formatShare(count / sum)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {crawl.reason === null ? null : <p className="mt-2 text-muted">Stopped early: {endText(crawl.reason)}.</p>}
    </Card>
  )
}
