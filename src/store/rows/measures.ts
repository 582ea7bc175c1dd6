// What the row of a host says for its owner to look at.

import type { HostMeasures } from '../../ports/manners.ts'

type KnownMeasures = Pick<HostMeasures, 'host' | 'gapMs' | 'concurrencyLimit' | 'denied'>

export function toMeasures(row: Record<string, unknown>): KnownMeasures {
  const limit = Math.floor(Number(row['concurrency_limit']))
  return {
    host: String(row['name']),
    gapMs: Number(row['gap_ms']),
    concurrencyLimit: limit === 0 ? null : limit,
    denied: Number(row['denied']),
  }
}
