import type { MouseEvent, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { client } from '../../../server/api.ts'

/** The maximum text length of listUrls, and the number of partial matches to search for the exact URL. */
const MAX_TEXT = 500
const MAX_MATCHES = 200

/** A link to the details of a URL. Comparisons have no URL ids, so a click looks the id up. */
export function UrlLink({ crawlId, url, children }: { crawlId: string; url: string; children: ReactNode }) {
  const [, navigate] = useLocation()
  const text = url.slice(0, MAX_TEXT)
  const table = urlsHref(crawlId, { text })
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    client
      .listUrls({ params: { crawl_id: crawlId }, query: { text, sort: 'url', limit: MAX_MATCHES } })
      .then(({ items }) => items.find((item) => item.url === url))
      .then(
        (found) => navigate(found === undefined ? table : urlHref(crawlId, found.url_id)),
        // The table sends the same query and shows the error.
        () => navigate(table),
      )
  }
  return (
    <Link href={table} onClick={open} className="text-accent hover:underline">
      {children}
    </Link>
  )
}
