// The limits that differ between kinds of requests. Each set is made once and shared, since every request names one.

export interface FetchLimits {
  /** On the wire, and again when decoded. A longer body is cut; a compressed one fails. */
  maxBodyBytes: number
  /** From the request to the end of the headers. */
  headersTimeoutMs: number
  /** The beginning of the body will do: a compressed one is cut as well. */
  isStartEnough: boolean
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
  isStartEnough: true,
}

export const SITEMAP_LIMITS: FetchLimits = {
  maxBodyBytes: SITEMAP_BYTES,
  headersTimeoutMs: HEADERS_TIMEOUT_MS,
  isStartEnough: true,
}

export function pageLimits(maxBodyBytes: number, headersTimeoutMs = HEADERS_TIMEOUT_MS): FetchLimits {
  return { maxBodyBytes, headersTimeoutMs, isStartEnough: false }
}
