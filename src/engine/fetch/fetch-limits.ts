// Limits that differ between kinds of requests. Each set is created once and shared, since every request refers to one.

export interface FetchLimits {
  /**
   * Applies to the bytes on the wire, and again to the decoded body. A longer body is truncated; a compressed one
   * fails.
   */
  maxBodyBytes: number
  /** Time from the request to the end of the headers. */
  headersTimeoutMs: number
  /** The start of the body is enough: a compressed one is truncated as well. */
  acceptsTruncated: boolean
}

/** Timeout for a host that has responded before. */
export const HEADERS_TIMEOUT_MS = 15_000
/** Timeout for a host that has not responded yet: most of those never will. */
export const FIRST_HEADERS_TIMEOUT_MS = 9000

const ROBOTS_BYTES = 512 * 1024
/** The limit of sitemaps.org for one file. */
const SITEMAP_BYTES = 50 * 1024 * 1024

export const ROBOTS_LIMITS: FetchLimits = {
  maxBodyBytes: ROBOTS_BYTES,
  headersTimeoutMs: FIRST_HEADERS_TIMEOUT_MS,
  acceptsTruncated: true,
}

export const SITEMAP_LIMITS: FetchLimits = {
  maxBodyBytes: SITEMAP_BYTES,
  headersTimeoutMs: HEADERS_TIMEOUT_MS,
  acceptsTruncated: true,
}

export function pageLimits(maxBodyBytes: number, headersTimeoutMs = HEADERS_TIMEOUT_MS): FetchLimits {
  return { maxBodyBytes, headersTimeoutMs, acceptsTruncated: false }
}

/** What is known about a request before it is sent. */
export interface HeadersExpectation {
  /** Mean response time of the host; 0 if it has never responded. */
  responseMs: number
  /** Requests in flight to the host, including this one. */
  inFlight: number
  /** The host has recently rejected requests because of overload. */
  isOverloaded: boolean
  url: string
}

/** Maximum share of the request timeout, however slow the host: 45 of the usual 60 seconds. */
const LONGEST_HEADERS_SHARE = 0.75
/** Timeouts are rounded up, so that requests share few sets of limits. */
const STEP_MS = 5000
/** A response may take this many times the mean of its host. */
const PER_MEAN = 10

/**
 * The header timeout of a page (FET-10): based on the response times of the host, longer for a query, which has to be
 * computed, and for a busy host. Never below `HEADERS_TIMEOUT_MS`, except for hosts that never responded.
 */
export function headersTimeoutMs(headersExpectation: HeadersExpectation, requestTimeoutMs: number): number {
  const { responseMs, inFlight, isOverloaded, url } = headersExpectation
  if (responseMs === 0) return FIRST_HEADERS_TIMEOUT_MS
  const complexity = url.includes('?') ? 1.5 : 1
  const load = (1 + (inFlight - 1) / 8) * (isOverloaded ? 2 : 1)
  const expectedMs = Math.ceil((responseMs * PER_MEAN * complexity * load) / STEP_MS) * STEP_MS
  return Math.max(HEADERS_TIMEOUT_MS, Math.min(requestTimeoutMs * LONGEST_HEADERS_SHARE, expectedMs))
}

/** Page limits, one set per timeout. */
export class PageLimitsCache {
  readonly #settings: { maxBodyBytes: number; timeoutMs: number }
  readonly #byTimeout = new Map<number, FetchLimits>()

  constructor(settings: { maxBodyBytes: number; timeoutMs: number }) {
    this.#settings = settings
  }

  for(headersExpectation: HeadersExpectation): FetchLimits {
    const timeoutMs = headersTimeoutMs(headersExpectation, this.#settings.timeoutMs)
    const known = this.#byTimeout.get(timeoutMs)
    if (known !== undefined) return known
    const limits = pageLimits(this.#settings.maxBodyBytes, timeoutMs)
    this.#byTimeout.set(timeoutMs, limits)
    return limits
  }
}
