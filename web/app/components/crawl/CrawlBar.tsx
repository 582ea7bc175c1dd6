import type { CrawlProgress } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { isUnfinished } from '../../text/states.ts'
import { type BarHeight, LedgerBar } from '../charts/LedgerBar.tsx'

/** The progress of a crawl: towards its page limit if that ends it, otherwise its ledger. */
export function CrawlBar({ crawl, height = 'h-2' }: { crawl: CrawlProgress; height?: BarHeight }) {
  const limit = pageLimit(crawl)
  if (limit === null) return <LedgerBar states={crawl.states} height={height} />
  return (
    <div
      role="img"
      aria-label={`${formatNumber(crawl.pages)} of ${plural(limit, 'page')}`}
      className={`w-full overflow-hidden rounded-full bg-sunken ${height}`}
    >
      <span
        className="block h-full"
        style={{ background: 'var(--state-visited)', width: `${Math.min(1, crawl.pages / limit) * 100}%` }}
      />
    </div>
  )
}

/** The page limit, as long as it may end the crawl or if it has. Null for a crawl that ran out of URLs first. */
export function pageLimit({ max_pages, status, reason }: CrawlProgress): number | null {
  return max_pages !== null && max_pages > 0 && (isUnfinished(status) || reason === 'max_pages') ? max_pages : null
}
