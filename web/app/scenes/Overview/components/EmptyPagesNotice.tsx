import type { Crawl, Stats } from '../../../server/api.ts'
import { formatNumber } from '../../../text/format.ts'
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
      {pages === 0
        ? 'The start page has hardly any links without JavaScript.'
        : `${formatNumber(pages)} ${pages === 1 ? 'page looks' : 'pages look'} empty without JavaScript.`}{' '}
      Start a new crawl with "Render pages" set to "If needed".
    </Notice>
  )
}
