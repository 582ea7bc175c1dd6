// Converts a progress sample of a crawl to and from its row.

import { emptyLedger, type Ledger } from '../../lib/states.ts'
import type { HistorySample } from '../../ports/history.ts'

export function toHistorySample(row: Record<string, unknown>): HistorySample {
  return {
    at: Number(row['at']),
    pagesPerSecond: Number(row['pages_per_second']),
    bytesPerSecond: Number(row['bytes_per_second']),
    inFlight: Number(row['in_flight']),
    states: { ...emptyLedger(), ...(JSON.parse(String(row['states'])) as Ledger) },
  }
}
