// The result of one request. Every failure has a name here; nothing is guessed from error messages.

import type { Validators } from '../../ports/leases.ts'
import type { FetchLimits } from './fetch-limits.ts'
import type { RequestHeaders, ResponseHeaders } from './headers.ts'

export const FETCH_PROBLEMS = [
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connection_lost',
  'headers_timeout',
  'body_timeout',
  'timeout',
  'too_slow',
  'lease_lapsed',
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_invalid',
  'http_invalid',
  'headers_too_large',
  'encoding_unsupported',
  'encoding_invalid',
  'body_too_large',
  'compression_bomb',
  'address_blocked',
  'port_blocked',
  'proxy_failed',
  'proxy_refused',
  'unknown_error',
] as const
export type FetchProblem = (typeof FETCH_PROBLEMS)[number]

export interface FetchResponse {
  kind: 'response'
  status: number
  contentType: string
  location: string | null
  retryAfter: string | null
  /** All X-Robots-Tag headers, one per line, since each may start with a user agent. */
  robotsTag: string | null
  /** All Link headers, joined by commas; the first 8 KiB. */
  linkHeader: string | null
  etag: string | null
  lastModified: string | null
  /** Decoded; complete unless `truncated`. Freed, and then empty, once the visit is reported. */
  body: Buffer
  /** The body as received, before content decoding; the same object as `body` if there is no coding. */
  wire: Buffer
  statusText: string
  rawHeaders: ResponseHeaders
  /** It has set cookies that the crawl sends back, so they are as secret as a password. */
  setsCookies?: boolean
  /** Request line and headers as sent, one character per byte; null if not requested. */
  sent: string | null
  wireBytes: number
  /** Truncated at the body limit. */
  truncated: boolean
  /** Time from the start to the headers; `fetchMs` includes the body. */
  ttfbMs: number
  fetchMs: number
  ip: string | null
  /** CNAME chain of the host, separated by spaces. */
  cname: string | null
  /** Omitted if there was none. Without user and password. */
  proxy?: string
  resent?: ResentRequest
}

/** Data of a request that was sent again because the server asked for credentials. Omitted for all others. */
export interface ResentRequest {
  /** When the request was last sent; `fetchMs` counts from here. */
  at: number
  /** How often the request was sent in total. */
  sent: number
}

export interface FetchFailure {
  kind: 'failure'
  problem: FetchProblem
  /** The client's own code, for the log. */
  detail: string
  wireBytes: number
  fetchMs: number
  ip: string | null
  cname: string | null
  proxy?: string
  resent?: ResentRequest
  /** Set with `proxy_failed`: when the first proxy may be tried again. */
  proxyRetryAt?: number
}

export type FetchResult = FetchResponse | FetchFailure

/** The expiry of the lease of a request, which may be extended while it is in flight. */
export interface RequestDeadline {
  /** The request is aborted if it is still in flight at this time. */
  readonly endDeadline: number
  /**
   * Reserves the next request to the host for a request that is sent again, and returns when it may start; at once if
   * omitted.
   */
  takeTurn?(now: number): number
}

export interface Fetcher {
  /**
   * Calls back exactly once, never synchronously. Without limits the URL is fetched as a page. With validators the response
   * may be 304. `headers` are sent in addition to those of every request to the origin.
   */
  fetch(
    url: string,
    done: (result: FetchResult) => void,
    limits?: FetchLimits,
    deadline?: RequestDeadline,
    validators?: Validators | null,
    headers?: RequestHeaders,
  ): void
  /** The last known address of the URL's host, without a lookup. */
  knownAddress(url: string): string | null
  /**
   * Like `knownAddress`, with a lookup if necessary; null if the host has no address. Never calls back synchronously.
   */
  resolveAddress(url: string, done: (address: string | null) => void): void
  /** Requests in flight that are not sent yet: their host is being resolved, or a connection is being opened. */
  countUnsent(): { dns: number; connect: number }
  /** Sends nothing again from now on. Requests that would need it, or are waiting for it, end with `lease_lapsed`. */
  stopResending(): void
  close(): Promise<void>
}

/**
 * Problems by code of Node or of this folder. Other codes of proxies are `proxy_failed`, codes of OpenSSL
 * `tls_invalid`, and all others `unknown_error`.
 */
const PROBLEM_OF_CODE: Record<string, FetchProblem> = {
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EAI_FAIL: 'dns_failed',
  ENODATA: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  ETIMEOUT: 'dns_failed',
  EREFUSED: 'dns_failed',
  EFORMERR: 'dns_failed',
  ENOTIMP: 'dns_failed',
  EBADNAME: 'dns_failed',
  EBADQUERY: 'dns_failed',
  EBADRESP: 'dns_failed',
  ECANCELLED: 'dns_failed',
  EOF: 'dns_failed',
  ECONNREFUSED: 'connect_refused',
  EHOSTUNREACH: 'connect_refused',
  ENETUNREACH: 'connect_refused',
  EADDRNOTAVAIL: 'connect_refused',
  ETIMEDOUT: 'connect_timeout',
  CONNECT_TIMEOUT: 'connect_timeout',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  CONNECTION_CLOSED: 'connection_lost',
  CLIENT_CLOSED: 'connection_lost',
  HEADERS_TIMEOUT: 'headers_timeout',
  BODY_TIMEOUT: 'body_timeout',
  HEADERS_TOO_LARGE: 'headers_too_large',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_host',
  HOSTNAME_MISMATCH: 'tls_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_SIGNATURE_FAILURE: 'tls_invalid',
  CERT_CHAIN_TOO_LONG: 'tls_invalid',
  INVALID_CA: 'tls_invalid',
  INVALID_PURPOSE: 'tls_invalid',
  PATH_LENGTH_EXCEEDED: 'tls_invalid',
  EPROTO: 'tls_invalid',
  ADDRESS_BLOCKED: 'address_blocked',
  PORT_BLOCKED: 'port_blocked',
  PROXY_REFUSED: 'proxy_refused',
  TOTAL_TIMEOUT: 'timeout',
  LEASE_LAPSED: 'lease_lapsed',
  TOO_SLOW: 'too_slow',
  ENCODING_UNSUPPORTED: 'encoding_unsupported',
  ENCODING_INVALID: 'encoding_invalid',
  HTTP_INVALID: 'http_invalid',
  LENGTH_INVALID: 'http_invalid',
  STATUS_INVALID: 'http_invalid',
  INTERIM_FLOOD: 'http_invalid',
  HTTP2_BREACH: 'http_invalid',
  BODY_TOO_LARGE: 'body_too_large',
  COMPRESSION_BOMB: 'compression_bomb',
}

const OPENSSL_CODE = /^ERR_(SSL|TLS|OSSL)_/

export function classifyFetchError(error: Error): { problem: FetchProblem; detail: string } {
  const detail = codeOf(error) ?? codeOf(error.cause) ?? error.name
  const known = PROBLEM_OF_CODE[detail]
  if (known !== undefined) return { problem: known, detail }
  if (detail.startsWith('PROXY_')) return { problem: 'proxy_failed', detail }
  if (OPENSSL_CODE.test(detail)) return { problem: 'tls_invalid', detail }
  return { problem: 'unknown_error', detail }
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}
