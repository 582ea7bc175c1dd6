import { Link } from 'wouter'
import { LedgerBar } from '../../../components/charts/LedgerBar.tsx'
import { StateBadge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { urlsHref } from '../../../page/navigation.ts'
import type { Crawl } from '../../../server/api.ts'
import { formatNumber, formatShare, plural } from '../../../text/format.ts'
import { endText } from '../../../text/reasons.ts'
import { URL_STATE_ORDER, URL_STATE_STYLES } from '../../../text/states.ts'

/** The ledger. Every URL has exactly one state; the total shown is the sum of the nine counts. */
export function LedgerCard({ crawl }: { crawl: Crawl }) {
  const sum = URL_STATE_ORDER.reduce((sum, state) => sum + crawl.states[state], 0)
  return (
    <Card title="URL states" aside={plural(sum, 'URL')}>
      <LedgerBar states={crawl.states} height="h-3" />
      <ul className="mt-3 grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
        {URL_STATE_ORDER.map((state) => (
          <li key={state}>
            <Link
              href={urlsHref(crawl.crawl_id, { state })}
              title={URL_STATE_STYLES[state].help}
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
      {crawl.reason === null ? null : <p className="mt-2 text-muted">Stopped early: {endText(crawl.reason)}.</p>}
    </Card>
  )
}
