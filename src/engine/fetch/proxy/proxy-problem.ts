// Distinguishes failures of a proxy from failures of the site behind it.

import type { FetchResult } from '../fetch-result.ts'
import { usesAbsoluteForm } from './proxy-dialler.ts'
import type { TrackedProxy } from './proxy-routes.ts'

/** Why the proxy has failed, rather than the site; null if it has not. */
export function proxyProblem(url: string, { server }: TrackedProxy, result: FetchResult): string | null {
  if (result.kind === 'failure') return result.problem === 'proxy_failed' ? result.detail : null
  // Through a tunnel, only the site answers.
  return result.status === 407 && usesAbsoluteForm(new URL(url), server) ? 'PROXY_AUTH_FAILED' : null
}

/**
 * Some proxies close the connection if they cannot reach the site. Sites may respond with 407, or before the request.
 */
const CAUSED_BY_SITES = new Set(['PROXY_CONNECTION_CLOSED', 'PROXY_ECONNRESET', 'PROXY_HTTP_INVALID'])

export function mayBeOfSite(detail: string, { kind }: FetchResult): boolean {
  return kind === 'response' || CAUSED_BY_SITES.has(detail)
}
