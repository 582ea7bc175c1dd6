// A page that was visited and has nothing wrong but its missing title.

import type { UrlRow } from '../../ports/urls.ts'

export const EXAMPLE_ROW: UrlRow = {
  id: 1,
  url: '',
  state: 'visited',
  reason: null,
  depth: 1,
  priority: 5,
  httpStatus: 200,
  contentType: 'text/html',
  contentLength: 10,
  contentHash: null,
  title: null,
  discoveredFrom: null,
  redirectTo: null,
  attempts: 1,
  fetchMs: 1,
  processingMs: 1,
  visitedBy: 'w1-0',
  ip: null,
  firstSeenAt: 0,
  visitedAt: 0,
  leasedBy: null,
  kind: 'page',
  canonical: null,
  noindex: false,
  cname: null,
  proxy: null,
  isFromScript: false,
  listing: { lastmod: null, changefreq: null, priority: null },
}
