// The measurements of a host, from its row.

import type { HostMeasurements } from '../../ports/diagnostics.ts'

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

/** Requests of rendered pages by host. */
export function toSubrequests(rows: Record<string, unknown>[]): Map<string, number> {
  return new Map(rows.map((row) => [String(row['host']), Number(row['requests'])]))
}

/** A host without URLs in the crawl, which rendered pages made requests to. */
export function measuredBySubrequests(host: string, subrequests: number): HostMeasurements {
  const none = { requests: 0, smallestGapMs: null, peak: 0, gapMs: 0, concurrencyLimit: null, denied: 0 }
  return { ...none, host, subrequests }
}
