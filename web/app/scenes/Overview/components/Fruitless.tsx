import type { Crawl } from '../../../api.ts'
import { useCommonestReason } from '../../../hooks/useCommonestReason.ts'
import { adviceFor } from '../../../reasons.ts'
import { statusLook } from '../../../states.ts'

/** Above everything else: a crawl that completed with nothing, why, and what would help. */
export function Fruitless({ crawl, className }: { crawl: Crawl; className: string }) {
  const reason = useCommonestReason(crawl)
  const { label, isFruitless } = statusLook(crawl)
  if (!isFruitless) return null
  return (
    <p role="status" className={`rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn ${className}`}>
      {label}
      {reason === null ? '.' : `: ${reason.replaceAll('_', ' ')}. ${adviceFor(reason)}`}
    </p>
  )
}
