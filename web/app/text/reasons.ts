// Texts for the codes that the API reports: why a URL or link ended, why a crawl stopped early, why it is on hold.

import type { LeftOutReason } from '../../../src/api/contract/outcomes.ts'
import { formatNumber } from './format.ts'
import { lowerFirst, spellOut } from './words.ts'

const END_TEXTS: Record<string, string> = {
  max_pages: 'page limit reached',
  cancelled: 'cancelled',
  completed_by_user: 'completed by user',
}

const HOLD_TEXTS: Record<string, string> = {
  max_disk: 'On hold: the data directory has reached its size limit. Free up space or raise --max-disk.',
  low_disk: 'On hold: the disk is almost full. Free up space to continue.',
  index_lag: 'On hold: the search index is too far behind. The crawl continues when the index catches up.',
  slow_store: 'On hold: the store is too slow. The crawl continues when the store recovers.',
  archive_store:
    'On hold: uploads to the object storage of the archive fail or are too slow. The crawl continues when it catches up.',
  memory: 'On hold: the server is over its memory limit. If this happens often, raise --memory.',
  no_worker:
    'No worker is running, so the crawl waits. Restart the server, or start a worker on any machine of the cluster: orbweaver worker.',
  reader_lag: 'On hold: the program that reads the pages is too far behind. The crawl continues when it catches up.',
}

/** Reasons whose code, spelled out, is not a good text. */
const REASON_TEXTS: Record<string, string> = {
  address_blocked: 'Private address',
  beyond_limit: 'Beyond depth limit',
  body_timeout: 'Timeout while reading the body',
  cancelled: 'Crawl cancelled',
  connect_refused: 'Connection refused',
  connect_timeout: 'Connection timeout',
  credentials: 'Credentials in URL',
  dns_failed: 'DNS lookup failed',
  encoding_invalid: 'Invalid content encoding',
  encoding_unsupported: 'Unsupported content encoding',
  excluded_pattern: 'Matches an exclude pattern',
  headers_timeout: 'Timeout before the response',
  hook_failed: 'A hook of the program failed',
  hook_refused: 'Left out by a hook',
  hook_timeout: 'A hook of the program took too long',
  host_max_pages: 'Page limit of the host reached',
  http_invalid: 'Invalid HTTP response',
  lease_lapsed: 'The crawler was too slow',
  links_need_javascript: 'Hardly any links without JavaScript',
  malformed: 'Malformed URL',
  needs_javascript: 'Looks empty without JavaScript',
  render_cpu: 'Rendering took too much CPU',
  render_crashed: 'The browser crashed while rendering',
  render_dom_size: 'Page too large to render',
  render_incomplete: 'Scripts or data of the page did not load',
  render_memory: 'Rendering took too much memory',
  render_response_size: 'Files too large to render',
  render_skipped: 'Looks empty, but rendering pages like it adds nothing',
  render_timeout: 'Rendering took too long',
  script_blocked: 'Harmful script, not run',
  max_pages: 'Page limit reached',
  nofollow: 'Marked nofollow',
  not_included: 'Matches no include pattern',
  port_blocked: 'Blocked port',
  proxy_failed: 'Waiting for a proxy',
  proxy_refused: 'Refused by the proxy',
  redirect_target_invalid: 'Invalid redirect target',
  scheme: 'Unsupported scheme',
  scope: 'Out of scope',
  sponsored: 'Marked sponsored',
  timeout: 'Request timeout',
  tls_expired: 'Certificate expired',
  tls_invalid: 'TLS error',
  tls_untrusted: 'Certificate not trusted',
  tls_wrong_host: 'Certificate for another host',
  too_long: 'URL too long',
  too_many_links: 'Too many links on the page',
  too_many_requisites: 'Too many images and files on the page',
  too_slow: 'Response too slow',
  truncated: 'Body truncated',
  ugc: 'Marked ugc',
}

/** The text for the reason of a URL or rejected link. A line of robots.txt is its own text. */
export function reasonText(reason: string): string {
  const known = REASON_TEXTS[reason]
  if (known !== undefined) return known
  const [, status] = /^http_(\d+)$/.exec(reason) ?? []
  if (status !== undefined) return `HTTP ${status}`
  const [, cause] = /^robots_unreachable: (.*)$/.exec(reason) ?? []
  if (cause !== undefined) return `robots.txt unreachable: ${lowerFirst(reasonText(cause))}`
  if (reason.startsWith('trap:')) return `Trap: ${reason.slice('trap:'.length)}`
  return /^\w+$/.test(reason) ? spellOut(reason) : reason
}

/** Reasons of URLs that were found, but left out when the crawl reached a limit or was ended. */
const LEFT_OUT_TEXTS: Record<LeftOutReason, string> = {
  max_pages: 'Not visited: page limit',
  host_max_pages: 'Not visited: page limit of the host',
  beyond_limit: 'Not visited: depth limit',
  cancelled: 'Not visited: cancelled',
  completed_by_user: 'Not visited: ended early',
}

/** Null for reasons that exclude a URL from the crawl. */
export function leftOutText(reason: string): string | null {
  return LEFT_OUT_TEXTS[reason as LeftOutReason] ?? null
}

/** Says which hosts are not responding. */
export function silenceText({ hosts, host }: { hosts: number; host: string }): string {
  return hosts === 1 ? `${host} is not responding` : `${formatNumber(hosts)} hosts are not responding`
}

/** Why a crawl is on hold, and what to do about it. */
export function holdText(reason: string): string {
  return HOLD_TEXTS[reason] ?? `On hold: ${reason.replaceAll('_', ' ')}.`
}

/** Why a crawl stopped before its queue was empty, in lower case. */
export function endText(reason: string): string {
  return END_TEXTS[reason] ?? reason.replaceAll('_', ' ')
}

/** Advice if this reason kept a crawl from visiting anything. */
export function adviceFor(reason: string): string {
  if (reason.includes('address_blocked')) return 'Private addresses are not visited unless you allow them.'
  if (/tls_(expired|wrong_host|untrusted)$/.test(reason))
    return 'To crawl it anyway, turn on “Allow invalid certificates” under More settings; this needs a token with admin scope.'
  return 'Check the start URL, and whether this machine can reach it.'
}

/** Why the content of a visited page could not be read; null if it could. */
export function contentProblem({ state, reason }: { state: string; reason: string | null }): string | null {
  return state !== 'visited' || reason === null ? null : reasonText(reason)
}
