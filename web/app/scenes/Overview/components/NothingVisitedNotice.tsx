import { LinkButton } from '../../../components/controls/Button.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { useMostCommonReason } from '../../../hooks/useMostCommonReason.ts'
import type { Crawl } from '../../../server/api.ts'
import { adviceFor, reasonText } from '../../../text/reasons.ts'
import { crawlStatusStyle } from '../../../text/states.ts'
import { lowerFirst } from '../../../text/words.ts'
import { Notice } from './Notice.tsx'

/** Says why a completed crawl visited nothing, and what to do. A private address can be allowed on the spot. */
export function NothingVisitedNotice({ crawl, className }: { crawl: Crawl; className: string }) {
  const reason = useMostCommonReason(crawl)
  const isAdmin = useHasScope('admin')
  const { label, isFruitless } = crawlStatusStyle(crawl)
  if (!isFruitless) return null
  const address = new URL(crawl.root_url).hostname
  return (
    <Notice className={className}>
      <p>
        {label}
        {reason === null ? '.' : `: ${lowerFirst(reasonText(reason))}. ${adviceFor(reason)}`}
      </p>
      {reason?.includes('address_blocked') === true && isAdmin ? (
        <LinkButton href={`/new?from=${crawl.crawl_id}&allow=${encodeURIComponent(address)}`} icon="check">
          Allow {address} and run again
        </LinkButton>
      ) : null}
    </Notice>
  )
}
