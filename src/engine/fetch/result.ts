// What one request came to. Everything that can go wrong on the way has a name here; nothing is guessed from text.

export const FETCH_PROBLEMS = [
  'dns_failed',
  'connect_refused',
  'connect_timeout',
  'connection_lost',
  'headers_timeout',
  'body_timeout',
  'timeout',
  'tls_invalid',
  'http_invalid',
  'headers_too_large',
  'encoding_unsupported',
  'encoding_invalid',
  'body_too_large',
  'address_blocked',
  'unknown_error',
] as const
export type FetchProblem = (typeof FETCH_PROBLEMS)[number]

export interface FetchResponse {
  kind: 'response'
  status: number
  contentType: string
  location: string | null
  retryAfter: string | null
  /** Decoded, whole unless `truncated`. */
  body: Buffer
  wireBytes: number
  /** Cut at the body limit. */
  truncated: boolean
  fetchMs: number
  ip: string | null
}

export interface FetchFailure {
  kind: 'failure'
  problem: FetchProblem
  /** The client's own code, for the log. */
  detail: string
  wireBytes: number
  fetchMs: number
  ip: string | null
}

export type FetchResult = FetchResponse | FetchFailure

export interface Fetcher {
  /** Calls back exactly once, never before returning. */
  fetch(url: string, done: (result: FetchResult) => void): void
  close(): Promise<void>
}

/** Codes of Node and undici, each with its name. Anything not listed is `unknown_error`, and shows up as a number. */
const PROBLEM_OF_CODE: Record<string, FetchProblem> = {
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EAI_FAIL: 'dns_failed',
  ENODATA: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  ECONNREFUSED: 'connect_refused',
  EHOSTUNREACH: 'connect_refused',
  ENETUNREACH: 'connect_refused',
  EADDRNOTAVAIL: 'connect_refused',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  UND_ERR_SOCKET: 'connection_lost',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'connection_lost',
  HPE_INVALID_EOF_STATE: 'connection_lost',
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  CERT_HAS_EXPIRED: 'tls_invalid',
  CERT_NOT_YET_VALID: 'tls_invalid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_invalid',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_invalid',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_invalid',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_invalid',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_invalid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_invalid',
  EPROTO: 'tls_invalid',
  ADDRESS_BLOCKED: 'address_blocked',
  TOTAL_TIMEOUT: 'timeout',
  ENCODING_UNSUPPORTED: 'encoding_unsupported',
  ENCODING_INVALID: 'encoding_invalid',
  STATUS_INVALID: 'http_invalid',
  BODY_TOO_LARGE: 'body_too_large',
}

/** The parser names each breach of HTTP with its own code. */
const HTTP_PARSER_CODE = /^HPE_/
const OPENSSL_CODE = /^ERR_SSL_/

export function problemOf(error: Error): { problem: FetchProblem; detail: string } {
  const detail = codeOf(error) ?? codeOf(error.cause) ?? parserCode(error) ?? error.name
  const known = PROBLEM_OF_CODE[detail]
  if (known !== undefined) return { problem: known, detail }
  if (HTTP_PARSER_CODE.test(detail)) return { problem: 'http_invalid', detail }
  if (OPENSSL_CODE.test(detail)) return { problem: 'tls_invalid', detail }
  return { problem: 'unknown_error', detail }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** undici leaves the code of a parser error empty; with no bytes left to object to, the connection ended too early. */
function parserCode(error: Error): string | null {
  if (error.name !== 'HTTPParserError') return null
  return 'data' in error && error.data === '' ? 'HPE_INVALID_EOF_STATE' : 'HPE_INVALID'
}

export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}
