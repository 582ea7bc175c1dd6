import { useMostCommonReason } from '../../../hooks/useMostCommonReason.ts'
import type { Crawl } from '../../../server/api.ts'
import { adviceFor, reasonText } from '../../../text/reasons.ts'
import { crawlStatusStyle } from '../../../text/states.ts'
import { lowerFirst } from '../../../text/words.ts'

/** Says why a completed crawl visited nothing, and what to do. */
export function NothingVisitedNotice({ crawl, className }: { crawl: Crawl; className: string }) {
  const reason = useMostCommonReason(crawl)
  const { label, isFruitless } = crawlStatusStyle(crawl)
  if (!isFruitless) return null
  return (
    <p role="status" className={`rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn ${className}`}>
      {label}
      {reason === null ? '.' : `: ${lowerFirst(reasonText(reason))}. ${adviceFor(reason)}`}
    </p>
  )
}
