// Requests that a crawl thread has made since its last commit, by host: every request for a URL, including retries and
// revisits, every robots.txt with its redirects, and the requests of rendered pages.

import type { HostRequests } from '../../../ports/frontier.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../../fetch/fetch-result.ts'

/** Problems of requests that were not sent to the host. */
export const UNSENT_PROBLEMS: ReadonlySet<FetchProblem> = new Set([
  'address_blocked',
  'port_blocked',
  'dns_failed',
  'proxy_failed',
])

export class RequestCounts {
  #byHost = new Map<string, HostRequests>()

  /** Counts a request that has ended. */
  add(host: string, kind: keyof HostRequests, result: FetchResult): void {
    const isUnsent = result.kind === 'failure' && UNSENT_PROBLEMS.has(result.problem)
    const requests = result.resent?.sent ?? (isUnsent ? 0 : 1)
    if (requests === 0) return
    const counts = this.#byHost.get(host) ?? { sent: 0, rendered: 0 }
    counts[kind] += requests
    this.#byHost.set(host, counts)
  }

  /** Wraps a fetcher so that its requests are counted. */
  count(fetcher: Pick<Fetcher, 'fetch'>): Pick<Fetcher, 'fetch'> {
    return {
      fetch: (url, done, ...rest) => {
        const counted = (result: FetchResult) => {
          this.add(new URL(url).host, 'sent', result)
          done(result)
        }
        fetcher.fetch(url, counted, ...rest)
      },
    }
  }

  take(): Record<string, HostRequests> {
    const counts = Object.fromEntries(this.#byHost)
    this.#byHost = new Map()
    return counts
  }
}
