// Converts snapshots to the events of --json. The field names are a public format.

import type { WaitReason } from '../../engine/crawl/hosts/host-waits.ts'
import { roundToTenth } from '../../lib/round-to-tenth.ts'
import { type CrawlStatus, doneCount, type Ledger, ledgerTotal, pageCount } from '../../lib/states.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { type ExcludedPattern, releaseCommand } from '../excluded-patterns.ts'
import type { StoreLocation } from '../format/format-command.ts'
import type { CrawlSnapshot } from './crawl-snapshot.ts'

interface EventFields {
  crawl_id: string
  status: CrawlStatus
  reason: string | null
  /** Why the whole crawl is on hold. */
  held: HoldReason | null
  root_url: string
  total: number
  completed: number
  pending: number
  in_progress: number
  failed: number
  states: Ledger
  /** Number of visited URLs that are sitemaps. */
  sitemaps: number
  /** Number of visited URLs that are requisites of pages. */
  requisites: number
  elapsed_ms: number
  pages_per_second: number
  bytes: number
  rejected: Record<string, number>
  /** Time until the next URL is due again; null if none is planned. */
  next_visit_in_ms: number | null
}

export type ProgressEvent = { type: 'progress' } & EventFields & {
    in_flight: number
    waiting: { reason: WaitReason; hosts: number; host: string; left_ms: number }[]
  }
export type SummaryEvent = { type: 'summary'; requested_depth: number | null } & EventFields & {
    /** URL patterns excluded as traps. `release` is a command that admits their URLs. */
    excluded_patterns: (ExcludedPattern & { release: string })[]
    /** Pages that look empty without JavaScript and were not rendered. */
    needs_javascript: number
  }

interface SummaryFacts {
  traps: ExcludedPattern[]
  reasons: Record<string, number>
  program: string
  location: StoreLocation
}

export function progressEvent(snapshot: CrawlSnapshot): ProgressEvent {
  const fields = eventFields(snapshot, roundToTenth(snapshot.pagesPerSecond))
  const waiting = snapshot.waits.map(({ leftMs, ...wait }) => ({ ...wait, left_ms: Math.round(leftMs) }))
  return { type: 'progress', ...fields, in_flight: snapshot.inFlight, waiting }
}

export function summaryEvent(
  snapshot: CrawlSnapshot,
  requestedDepth: number | null,
  { traps, reasons, program, location }: SummaryFacts,
): SummaryEvent {
  const { crawl_id, status, reason, held, root_url, ...counts } = eventFields(snapshot, averageRate(snapshot))
  const header = { crawl_id, status, reason, held, root_url, requested_depth: requestedDepth }
  return {
    type: 'summary',
    ...header,
    ...counts,
    excluded_patterns: traps.map((trap) => ({
      ...trap,
      release: releaseCommand(snapshot.crawlId, trap.pattern, program, location),
    })),
    needs_javascript: reasons['needs_javascript'] ?? 0,
  }
}

/** Pages per second over the whole crawl. */
export function averageRate(snapshot: CrawlSnapshot): number {
  return snapshot.elapsedMs > 0 ? roundToTenth(pageCount(snapshot) / (snapshot.elapsedMs / 1000)) : 0
}

function eventFields(snapshot: CrawlSnapshot, pagesPerSecond: number): EventFields {
  const { ledger } = snapshot
  return {
    crawl_id: snapshot.crawlId,
    status: snapshot.status,
    reason: snapshot.reason,
    held: snapshot.held,
    root_url: snapshot.rootUrl,
    total: ledgerTotal(ledger),
    completed: doneCount(ledger) - ledger.failed,
    pending: ledger.queued,
    in_progress: ledger.in_progress,
    failed: ledger.failed,
    states: { ...ledger },
    sitemaps: snapshot.sitemaps,
    requisites: snapshot.requisites,
    elapsed_ms: Math.round(snapshot.elapsedMs),
    pages_per_second: pagesPerSecond,
    bytes: snapshot.bytes,
    rejected: { ...snapshot.rejected },
    next_visit_in_ms: snapshot.nextVisitInMs,
  }
}
