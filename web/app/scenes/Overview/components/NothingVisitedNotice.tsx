import { useMostCommonReason } from '../../../hooks/useMostCommonReason.ts'
import type { Crawl } from '../../../server/api.ts'
import { adviceFor } from '../../../text/reasons.ts'
import { crawlStatusStyle } from '../../../text/states.ts'

/** Above everything else: a crawl that completed with nothing, why, and what would help. */
export function NothingVisitedNotice({ crawl, className }: { crawl: Crawl; className: string }) {
  const reason = useMostCommonReason(crawl)
  const { label, isFruitless } = crawlStatusStyle(crawl)
  if (!isFruitless) return null
  return (
    <p role="status" className={`rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn ${className}`}>
      {label}
      {reason === null ? '.' : `: ${reason.replaceAll('_', ' ')}. ${adviceFor(reason)}`}
    </p>
  )
}
