// Addresses of views of a crawl that other scenes lead to.

export function urlsHref(crawlId: string, filter: Record<string, string> = {}): string {
  const query = new URLSearchParams(filter).toString()
  return `/crawls/${encodeURIComponent(crawlId)}/urls${query === '' ? '' : `?${query}`}`
}

/** The table with the flight recorder of a url open. */
export function urlHref(crawlId: string, urlId: number): string {
  return urlsHref(crawlId, { url: String(urlId) })
}
