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
