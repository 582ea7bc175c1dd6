// The headers of a response as the browser gets them.

import type { HeaderEntry } from '../cdp/protocol.ts'

/** The body has no encoding any more, and nothing may be reported, remembered or done beyond this page. */
const DROPPED = new Set([
  'accept-ch',
  'alt-svc',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'critical-ch',
  'expect-ct',
  'keep-alive',
  'nel',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'speculation-rules',
  'strict-transport-security',
  'supports-loading-mode',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The document is shown even if it is a download, and stays in the process that was started for it. */
const DROPPED_FROM_DOCUMENT = new Set([
  'content-disposition',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'refresh',
])

export function browserHeaders(headers: [string, string][], isDocument: boolean): HeaderEntry[] {
  const isKept = (name: string) => !DROPPED.has(name) && !(isDocument && DROPPED_FROM_DOCUMENT.has(name))
  return headers.filter(([name]) => isKept(name.toLowerCase())).map(([name, value]) => ({ name, value }))
}
