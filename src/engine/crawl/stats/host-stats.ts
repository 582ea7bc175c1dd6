// Requests and response times per host on this thread, for display only. The number of hosts is bounded.

import type { FetchResult } from '../../fetch/fetch-result.ts'
import { updateMeanMs } from '../../politeness/gap.ts'

export interface HostStat {
  host: string
  requests: number
  responseMs: number
}

const MAX_HOSTS = 1000

export class HostStats {
  readonly #hosts = new Map<string, HostStat>()
  requests = 0
  /** Requests without a response. */
  failures = 0
  bytes = 0

  record(host: string, result: FetchResult): void {
    this.requests += 1
    if (result.kind === 'failure') this.failures += 1
    this.bytes += result.wireBytes
    let stat = this.#hosts.get(host)
    if (stat === undefined) {
      if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear()
      stat = { host, requests: 0, responseMs: 0 }
      this.#hosts.set(host, stat)
    }
    stat.requests += 1
    stat.responseMs = updateMeanMs(stat.responseMs, result.fetchMs)
  }

  /** The `count` busiest and the `count` slowest hosts. */
  notable(count: number): HostStat[] {
    const all = [...this.#hosts.values()]
    const busiest = all.toSorted((a, b) => b.requests - a.requests).slice(0, count)
    const slowest = all.toSorted((a, b) => b.responseMs - a.responseMs).slice(0, count)
    return [...new Set([...busiest, ...slowest])]
  }
}
