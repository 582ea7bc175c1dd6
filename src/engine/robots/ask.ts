// Asks an origin for its robots.txt, following redirects, also to other hosts (RFC 9309 2.3.1.2), each after a gap.

import type { Clock } from '../../lib/clock.ts'
import { ROBOTS_LIMITS } from '../fetch/limits.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../fetch/result.ts'
import { normaliseUrl } from '../url/normalise.ts'

const MAX_REDIRECTS = 5

/** Problems that every request to the origin will have. */
export const SURE_TO_FAIL = new Set<FetchProblem>([
  'address_blocked',
  'port_blocked',
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_invalid',
])

export function fetchRobots(
  { origin, gapMs }: { origin: string; gapMs: number },
  { fetcher, clock }: { fetcher: Fetcher; clock: Clock },
  done: (result: FetchResult, file: string) => void,
): void {
  let redirects = 0
  const ask = (url: string) => {
    fetcher.fetch(
      url,
      (result) => {
        const target = redirects < MAX_REDIRECTS ? redirectTarget(result, url) : null
        redirects += 1
        if (target === null) done(result, url)
        else clock.after(gapMs, () => ask(target))
      },
      ROBOTS_LIMITS,
    )
  }
  ask(`${origin}/robots.txt`)
}

function redirectTarget(result: FetchResult, from: string): string | null {
  if (result.kind === 'failure' || result.location === null || result.status < 300 || result.status > 399) return null
  const target = normaliseUrl(result.location, from)
  return 'url' in target ? target.url : null
}
