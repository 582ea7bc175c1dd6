// Snapshots as events of the newline-delimited JSON output. Field names are the public contract.

import { type CrawlStatus, type Ledger, ledgerTotal } from '../../ports/state.ts'
import type { LiveSnapshot } from './snapshot.ts'
import { doneCount } from './states.ts'

interface EventFields {
  crawl_id: string
  status: CrawlStatus
  reason: string | null
  root_url: string
  total: number
  completed: number
  pending: number
  in_progress: number
  failed: number
  states: Ledger
  elapsed_ms: number
  pages_per_second: number
  bytes: number
  rejected: Record<string, number>
}

export type ProgressEvent = { type: 'progress' } & EventFields & { in_flight: number }
export type SummaryEvent = { type: 'summary'; requested_depth: number | null } & EventFields

export function progressEvent(snapshot: LiveSnapshot): ProgressEvent {
  const fields = eventFields(snapshot, oneDecimal(snapshot.pagesPerSecond))
  return { type: 'progress', ...fields, in_flight: snapshot.inFlight }
}

export function summaryEvent(snapshot: LiveSnapshot, requestedDepth: number | null): SummaryEvent {
  const { crawl_id, status, reason, root_url, ...counts } = eventFields(snapshot, wholeRate(snapshot))
  return { type: 'summary', crawl_id, status, reason, root_url, requested_depth: requestedDepth, ...counts }
}

/** Pages a second over the whole crawl. */
export function wholeRate(snapshot: LiveSnapshot): number {
  return snapshot.elapsedMs > 0 ? oneDecimal(snapshot.ledger.visited / (snapshot.elapsedMs / 1000)) : 0
}

function eventFields(snapshot: LiveSnapshot, pagesPerSecond: number): EventFields {
  const { ledger } = snapshot
  return {
    crawl_id: snapshot.crawlId,
    status: snapshot.status,
    reason: snapshot.reason,
    root_url: snapshot.rootUrl,
    total: ledgerTotal(ledger),
    completed: doneCount(ledger) - ledger.failed,
    pending: ledger.queued,
    in_progress: ledger.in_progress,
    failed: ledger.failed,
    states: { ...ledger },
    elapsed_ms: Math.round(snapshot.elapsedMs),
    pages_per_second: pagesPerSecond,
    bytes: snapshot.bytes,
    rejected: { ...snapshot.rejected },
  }
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}
