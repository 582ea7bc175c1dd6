import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { formatNumber } from '../../../text/format.ts'

/** Says that pages look empty because the crawl does not render them. */
export function EmptyPagesNotice({
  stats,
  className,
}: {
  stats: RouteResponse<'getStats'> | undefined
  className: string
}) {
  const pages = stats?.reasons.find(({ key }) => key === 'needs_javascript')?.count ?? 0
  if (pages === 0) return null
  return (
    <p role="status" className={`rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn ${className}`}>
      {formatNumber(pages)} {pages === 1 ? 'page looks' : 'pages look'} empty without JavaScript. Start a new crawl with
      "Render pages" set to "If needed".
    </p>
  )
}
