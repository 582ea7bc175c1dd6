// An empty response that tests fill in.

import type { FetchResponse } from '../fetch-result.ts'

export const EMPTY_RESPONSE: FetchResponse = {
  kind: 'response',
  status: 200,
  contentType: 'text/html',
  location: null,
  retryAfter: null,
  robotsTag: null,
  linkHeader: null,
  etag: null,
  lastModified: null,
  body: Buffer.alloc(0),
  wire: Buffer.alloc(0),
  statusText: 'OK',
  rawHeaders: [],
  sent: null,
  wireBytes: 0,
  truncated: false,
  ttfbMs: 1,
  fetchMs: 1,
  ip: null,
  cname: null,
}
