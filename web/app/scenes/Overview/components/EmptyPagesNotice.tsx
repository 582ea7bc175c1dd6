import type { Stats } from '../../../server/api.ts'
import { formatNumber } from '../../../text/format.ts'
import { Notice } from './Notice.tsx'

/** Says that pages look empty because the crawl does not render them. */
export function EmptyPagesNotice({ stats, className }: { stats: Stats | undefined; className: string }) {
  const countOf = (reason: string) => stats?.reasons.find(({ key }) => key === reason)?.count ?? 0
  const pages = countOf('needs_javascript')
  if (pages === 0 && countOf('links_need_javascript') === 0) return null
  return (
    <Notice className={className}>
      {pages === 0
        ? 'The start page has hardly any links without JavaScript.'
        : `${formatNumber(pages)} ${pages === 1 ? 'page looks' : 'pages look'} empty without JavaScript.`}{' '}
      Start a new crawl with "Render pages" set to "If needed".
    </Notice>
  )
}
