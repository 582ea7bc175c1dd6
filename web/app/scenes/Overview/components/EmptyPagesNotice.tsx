import type { Stats } from '../../../server/api.ts'
import { formatNumber } from '../../../text/format.ts'
import { Notice } from './Notice.tsx'

/** Says that pages look empty because the crawl does not render them. */
export function EmptyPagesNotice({ stats, className }: { stats: Stats | undefined; className: string }) {
  const pages = stats?.reasons.find(({ key }) => key === 'needs_javascript')?.count ?? 0
  if (pages === 0) return null
  return (
    <Notice className={className}>
      {formatNumber(pages)} {pages === 1 ? 'page looks' : 'pages look'} empty without JavaScript. Start a new crawl with
      "Render pages" set to "If needed".
    </Notice>
  )
}
