import { Link } from 'wouter'
import { urlsHref } from '../../../page/navigation.ts'
import type { Crawl, Stats } from '../../../server/api.ts'
import { plural } from '../../../text/format.ts'
import { Notice } from './Notice.tsx'

/** A crawl with more URLs has found its way without the links that scripts may add to a start page. */
const HARDLY_ANY_URLS = 3

interface Props {
  crawl: Crawl
  stats: Stats | undefined
  className: string
}

/** Says that pages look empty, or the start page has no links, because the crawl does not render them. */
export function EmptyPagesNotice({ crawl, stats, className }: Props) {
  const countOf = (reason: string) => stats?.reasons.find(({ key }) => key === reason)?.count ?? 0
  const pages = countOf('needs_javascript')
  const isDeadEnd = crawl.total <= HARDLY_ANY_URLS && countOf('links_need_javascript') > 0
  if (pages === 0 && !isDeadEnd) return null
  return (
    <Notice className={className}>
      <p>
        {pages === 0 ? (
          'The start page has hardly any links without JavaScript.'
        ) : (
          <>
            <Link href={urlsHref(crawl.crawl_id, { reason: 'needs_javascript' })} className="underline">
              {plural(pages, 'page')}
            </Link>{' '}
            {pages === 1 ? 'looks' : 'look'} empty without JavaScript.
          </>
        )}{' '}
        Start a new crawl with "Render pages" set to "If needed".
      </p>
    </Notice>
  )
}
