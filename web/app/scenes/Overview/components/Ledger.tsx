import { Link } from 'wouter'
import type { Crawl } from '../../../api.ts'
import { StateBadge } from '../../../components/Badge.tsx'
import { Card } from '../../../components/Card.tsx'
import { LedgerBar } from '../../../components/LedgerBar.tsx'
import { formatNumber, formatShare, plural } from '../../../format.ts'
import { urlsHref } from '../../../places.ts'
import { endText } from '../../../reasons.ts'
import { STATE_ORDER, STATES } from '../../../states.ts'

/** Every url is in exactly one state, so the nine numbers make up the total; the sum is shown, not the total as told. */
export function Ledger({ crawl }: { crawl: Crawl }) {
  const sum = STATE_ORDER.reduce((sum, state) => sum + crawl.states[state], 0)
  return (
    <Card title="Ledger" aside={plural(sum, 'url')}>
      <LedgerBar states={crawl.states} height="h-3" />
      <ul className="mt-3 grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
        {STATE_ORDER.map((state) => (
          <li key={state}>
            <Link
              href={urlsHref(crawl.crawl_id, { state })}
              title={STATES[state].help}
              className="-mx-1.5 flex h-7 items-center justify-between gap-2 rounded px-1.5 hover:bg-hover"
            >
              <StateBadge state={state} />
              <span className="ml-auto font-medium">{formatNumber(crawl.states[state])}</span>
              <span className="w-12 text-right text-xs text-muted">
                {sum === 0 ? '' : formatShare(crawl.states[state] / sum)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {crawl.reason === null ? null : (
        <p className="mt-2 text-muted">Ended before it ran out of urls: {endText(crawl.reason)}.</p>
      )}
    </Card>
  )
}
