// Decides whether a link to a URL is broken. A response that only a crawler gets (a login, a refusal, a limit of the
// crawl) does not prove that visitors see an error.

import type { UrlRow } from '../ports/urls.ts'

const REFUSALS = new Set([401, 402, 403, 407, 408, 421, 425, 429, 451])
/** Limits and abilities of the crawler, not of the site. */
const OWN_LIMITS = new Set([
  'body_too_large',
  'headers_too_large',
  'compression_bomb',
  'encoding_unsupported',
  'too_slow',
  'unknown_error',
])

const FAILURES: Readonly<Record<string, string>> = {
  dns_failed: 'The host name cannot be resolved',
  connect_refused: 'The server refuses connections',
  connect_timeout: 'The server does not respond',
  connection_lost: 'The server closes the connection',
  headers_timeout: 'The server does not respond',
  body_timeout: 'The response is incomplete',
  timeout: 'The server does not respond',
  tls_expired: 'The certificate has expired',
  tls_wrong_host: 'The certificate is for another host',
  tls_untrusted: 'The certificate is not trusted',
  tls_invalid: 'No secure connection is possible',
  http_invalid: 'The response is not valid HTTP',
  encoding_invalid: 'The response cannot be decoded',
  redirect_without_target: 'A redirect without a target',
}

/** Null if the URL is not broken, or if that is unknown. */
export function brokenDetail({
  state,
  reason,
  httpStatus,
}: Pick<UrlRow, 'state' | 'reason' | 'httpStatus'>): string | null {
  if (reason !== null && OWN_LIMITS.has(reason)) return null
  switch (state) {
    case 'not_found':
      return 'Status 404'
    case 'http_error':
      if (httpStatus === null || REFUSALS.has(httpStatus)) return null
      return reason !== null && reason in FAILURES ? (FAILURES[reason] ?? null) : `Status ${httpStatus}`
    case 'failed':
      return FAILURES[reason ?? ''] ?? 'No response'
    case 'queued':
    case 'in_progress':
    case 'visited':
    case 'redirected':
    case 'forbidden':
    case 'excluded':
      return null
  }
}
