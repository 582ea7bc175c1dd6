// The measurements of a host, from its row.

import type { HostMeasurements } from '../../ports/diagnostics.ts'
import type { HostRequests } from '../../ports/frontier.ts'

type StoredMeasurements = Pick<HostMeasurements, 'host' | 'gapMs' | 'concurrencyLimit' | 'denied'>

export function toHostMeasurements(row: Record<string, unknown>): StoredMeasurements {
  const limit = Math.floor(Number(row['concurrency_limit']))
  return {
    host: String(row['name']),
    gapMs: Number(row['gap_ms']),
    concurrencyLimit: limit === 0 ? null : limit,
    denied: Number(row['denied']),
  }
}

export type HostTiming = Pick<HostMeasurements, 'requests' | 'smallestGapMs' | 'peak'>

/** Request counts by host. */
export function toHostRequests(rows: Record<string, unknown>[]): Map<string, HostRequests> {
  return new Map(
    rows.map((row) => [String(row['host']), { sent: Number(row['sent']), rendered: Number(row['rendered']) }]),
  )
}

/** Visits of earlier versions and of external crawlers were not counted as requests, but are recorded. */
export function withRequests(timing: HostTiming, counted: HostRequests | undefined) {
  const { sent, rendered } = counted ?? { sent: 0, rendered: 0 }
  return { ...timing, requests: Math.max(sent, timing.requests), subrequests: rendered }
}

/** A host without URLs in the crawl: of rendered pages, or to which a robots.txt redirects. */
export function measuredByRequests(host: string, { sent, rendered }: HostRequests): HostMeasurements {
  const none = { smallestGapMs: null, peak: 0, gapMs: 0, concurrencyLimit: null, denied: 0 }
  return { ...none, host, requests: sent, subrequests: rendered }
}
