import { Link } from 'wouter'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { type Crawl, useApi } from '../../../server/api.ts'
import { plural, shortUrl } from '../../../text/format.ts'
import { leftOutText, reasonText } from '../../../text/reasons.ts'
import { crawlStatusStyle, isUnfinished, URL_STATE_STYLES } from '../../../text/states.ts'
import { lowerFirst } from '../../../text/words.ts'
import { Notice } from './Notice.tsx'

const FAILED_STATES = ['forbidden', 'not_found', 'http_error', 'failed', 'excluded'] as const
const MAX_SHOWN = 50

/** Names start URLs that could not be visited. A crawl that visited nothing at all has its own notice. */
export function FailedStartUrls({ crawl, className }: { crawl: Crawl; className: string }) {
  const isShown = !isUnfinished(crawl.status) && !crawlStatusStyle(crawl).isFruitless
  const { data } = useApi(
    'listUrls',
    {
      params: { crawl_id: crawl.crawl_id },
      query: { depth: 0, state: [...FAILED_STATES], limit: MAX_SHOWN },
    },
    { enabled: isShown },
  )
  const failed = data?.items.filter(
    ({ reason, kind }) => kind === 'page' && (reason === null || leftOutText(reason) === null),
  )
  const [first] = failed ?? []
  if (!isShown || failed === undefined || first === undefined) return null
  const cause = first.reason === null ? URL_STATE_STYLES[first.state].label : reasonText(first.reason)
  return (
    <Notice className={className}>
      <p className="min-w-0 break-words">
        The start URL{' '}
        <Link href={urlHref(crawl.crawl_id, first.url_id)} className="underline">
          {shortUrl(first.url)}
        </Link>{' '}
        was not visited: {lowerFirst(cause)}.
        {failed.length === 1 ? null : (
          <>
            {' '}
            <Link href={urlsHref(crawl.crawl_id, { depth: 0, state: [...FAILED_STATES] })} className="underline">
              {plural(failed.length - 1, 'other start URL')} failed as well
            </Link>
            .
          </>
        )}
      </p>
    </Notice>
  )
}
