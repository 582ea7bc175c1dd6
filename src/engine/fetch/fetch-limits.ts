// The limits that differ between kinds of requests. Each set is made once and shared, since every request names one.

export interface FetchLimits {
  /** On the wire, and again when decoded. A longer body is cut; a compressed one fails. */
  maxBodyBytes: number
  /** From the request to the end of the headers. */
  headersTimeoutMs: number
  /** The beginning of the body will do: a compressed one is cut as well. */
  acceptsTruncated: boolean
}

/** For a host that has answered before. */
export const HEADERS_TIMEOUT_MS = 15_000
/** For one that has not: most of those never will. */
export const FIRST_HEADERS_TIMEOUT_MS = 9000

const ROBOTS_BYTES = 512 * 1024
/** sitemaps.org allows as much in one file. */
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

/** What is known of a request before it is made. */
export interface HeadersExpectation {
  /** Mean response time of the host, 0 when it has never answered. */
  responseMs: number
  /** Requests under way at the host, with this one. */
  inFlight: number
  /** The host has refused requests lately because it had too much to do. */
  isOverloaded: boolean
  url: string
}

/** However slow the host, of the time for the whole request: 45 of the usual 60 seconds. */
const LONGEST_HEADERS_SHARE = 0.75
/** Few sets of limits, which requests share. */
const STEP_MS = 5000
/** An answer may take this many times as long as the mean of its host. */
const PER_MEAN = 10

/**
 * The time for the headers of a page (FET-10): as long as the history of the host lets expect, longer for a query, which
 * has to be computed, and for a host that has much to do at once. Never shorter than `HEADERS_TIMEOUT_MS`, but for hosts
 * that never answered.
 */
export function headersTimeoutMs(headersExpectation: HeadersExpectation, requestTimeoutMs: number): number {
  const { responseMs, inFlight, isOverloaded, url } = headersExpectation
  if (responseMs === 0) return FIRST_HEADERS_TIMEOUT_MS
  const complexity = url.includes('?') ? 1.5 : 1
  const load = (1 + (inFlight - 1) / 8) * (isOverloaded ? 2 : 1)
  const expectedMs = Math.ceil((responseMs * PER_MEAN * complexity * load) / STEP_MS) * STEP_MS
  return Math.max(HEADERS_TIMEOUT_MS, Math.min(requestTimeoutMs * LONGEST_HEADERS_SHARE, expectedMs))
}

/** The limits of pages, one set for each time-out. */
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
