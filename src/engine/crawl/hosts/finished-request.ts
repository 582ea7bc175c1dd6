import type { ResponseClass } from '../../politeness/host-health.ts'

export interface FinishedRequest {
  startedAt: number
  /** Requests of this lease in flight when it started, including itself. */
  concurrentRequests: number
  /** Earlier visits to its URL, and how often the URL was postponed because the host was overloaded. */
  attempts: number
  postponements: number
}

export interface RequestOutcome {
  responseClass: ResponseClass
  /** The host refused because it is overloaded; this does not count against the URL. */
  isOverload: boolean
  /** The next request for the URL must be the only one in flight to the host. */
  mustRetryAlone: boolean
  /** The host is paused because of a Retry-After header. */
  hasRetryAfter: boolean
}
