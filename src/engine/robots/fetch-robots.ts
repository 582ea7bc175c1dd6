// Fetches the robots.txt of an origin, following redirects, even to other hosts (RFC 9309 2.3.1.2), each after a gap.

import type { Clock } from '../../lib/clock.ts'
import { ROBOTS_LIMITS } from '../fetch/fetch-limits.ts'
import type {
  Fetcher,
  FetchFailure,
  FetchProblem,
  FetchResponse,
  FetchResult,
  RequestDeadline,
} from '../fetch/fetch-result.ts'
import { normaliseUrl } from '../url/normalise-url.ts'

const MAX_REDIRECTS = 5

/** Problems that every request to the origin will have. */
const PERMANENT_PROBLEMS = new Set<FetchProblem>([
  'address_blocked',
  'port_blocked',
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_invalid',
])

export interface RobotsFetchResult {
  result: FetchResult
  /** The last URL requested, after redirects. */
  file: string
  /** No request to the origin can succeed, so its pages will fail in the same way. */
  isOriginRefused: boolean
}

export function fetchRobots(
  { origin, gapMs, deadline }: { origin: string; gapMs: number; deadline?: RequestDeadline | undefined },
  { fetcher, clock }: { fetcher: Pick<Fetcher, 'fetch'>; clock: Clock },
): Promise<RobotsFetchResult> {
  const { promise, resolve } = Promise.withResolvers<RobotsFetchResult>()
  let redirects = 0
  const ask = (file: string) => {
    fetcher.fetch(
      file,
      (result) => {
        if (result.kind === 'failure') {
          // A problem after a redirect says nothing about the origin, whose rules stay unknown.
          const isOriginRefused = redirects === 0 && PERMANENT_PROBLEMS.has(result.problem)
          return resolve({ result, file, isOriginRefused })
        }
        const isRedirect = result.status >= 300 && result.status <= 399
        if (!isRedirect) return resolve({ result, file, isOriginRefused: false })
        const target = normaliseUrl(result.location ?? '', file)
        if (result.location === null || 'problem' in target) {
          return resolve({ result: toRedirectFailure(result), file, isOriginRefused: false })
        }
        if (redirects === MAX_REDIRECTS) return resolve({ result, file, isOriginRefused: false })
        redirects += 1
        clock.after(gapMs, () => ask(target.url))
      },
      ROBOTS_LIMITS,
      deadline,
    )
  }
  ask(`${origin}/robots.txt`)
  return promise
}

/** A redirect to an invalid target: the rules cannot be fetched. */
function toRedirectFailure({ wireBytes, fetchMs, ip, cname }: FetchResponse): FetchFailure {
  return { kind: 'failure', problem: 'http_invalid', detail: 'REDIRECT_INVALID', wireBytes, fetchMs, ip, cname }
}
