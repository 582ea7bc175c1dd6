// Converts the history of a URL between its row in `revisits` and the rules. The columns are the same in both stores.

import { type HostFreshness, NEW_HOST, sendsValidators } from '../../frontier/host-freshness.ts'
import { isVersionKept } from '../../frontier/page-versions.ts'
import type { RevisitBudget } from '../../frontier/recrawl/budget.ts'
import { isLook, type RevisitHistory, type VisitEnd } from '../../frontier/revisit-plan.ts'
import type { TerminalState } from '../../lib/states.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { LastVisit, VisitReport } from '../../ports/frontier.ts'
import { seenHash } from '../../ports/revisits.ts'
import { stateCode, stateFromCode } from '../encoding/state-codes.ts'

type Row = Record<string, unknown>

/** Everything but ids and `due_at`. */
export const HISTORY_COLUMNS = [
  'state',
  'reason',
  'visited_at',
  'changed_at',
  'visits',
  'changes',
  'observed_ms',
  'interval_ms',
  'seen_hash',
  'etag',
  'last_modified',
] as const

export function toHistory(row: Row): RevisitHistory {
  const seen = row['seen_hash']
  return {
    state: stateFromCode(Number(row['state'])) as TerminalState,
    reason: row['reason'] as string | null,
    visitedAt: Number(row['visited_at']),
    changedAt: Number(row['changed_at']),
    visits: Number(row['visits']),
    changes: Number(row['changes']),
    observedMs: Number(row['observed_ms']),
    intervalMs: Number(row['interval_ms']),
    seenHash: seen instanceof Uint8Array ? Buffer.from(seen).toString('hex') : null,
    etag: row['etag'] as string | null,
    lastModified: row['last_modified'] as string | null,
  }
}

/** In the order of `HISTORY_COLUMNS`. */
export function historyValues(history: RevisitHistory) {
  return [
    stateCode(history.state),
    history.reason,
    history.visitedAt,
    history.changedAt,
    history.visits,
    history.changes,
    history.observedMs,
    history.intervalMs,
    history.seenHash === null ? null : Buffer.from(history.seenHash, 'hex'),
    history.etag,
    history.lastModified,
  ] as const
}

/** Null for a retry: the visit is not over. */
export function toVisitEnd({ outcome, facts, freshness }: VisitReport): VisitEnd | null {
  if (outcome.state === 'retry') return null
  const { state, reason } = outcome
  const isNotModified = facts?.httpStatus === 304 && freshness?.isUnchanged === true
  return { state, reason, seenHash: seenHash(state, facts), ...(freshness ?? NO_FRESHNESS), isNotModified }
}

/** Of a URL that was visited before its crawl had --recrawl, from its row and that of its last visit. */
export function toKnownEnd(row: Row): VisitEnd {
  const state = stateFromCode(Number(row['url_state'])) as TerminalState
  const content = row['content_hash']
  const seen = seenHash(state, {
    contentHash: content instanceof Uint8Array ? Buffer.from(content).toString('hex') : null,
    contentLength: row['content_length'] === null ? null : Number(row['content_length']),
    contentType: row['content_type'] as string | null,
    canonical: row['canonical'] as string | null,
    noindex: row['noindex'] === true || row['noindex'] === 1,
    redirectTo: row['redirect_to'] as string | null,
  })
  return { state, reason: row['url_reason'] as string | null, seenHash: seen, ...NO_FRESHNESS, isNotModified: false }
}

/** For a lease, from a row of `revisits`. `attempts` are those of the URL. */
export function toLastVisit(
  row: Row,
  attempts: number,
  { settings, now, host }: { settings: CrawlSettings; now: number; host: HostFreshness },
): LastVisit | null {
  const history = toHistory(row)
  // After a retry, the facts of the URL are no longer those of its last visit.
  if (!isLook(history) || Number(row['attempts']) !== attempts) return null
  if (!isVersionKept(settings, history.visitedAt, now)) return null
  const { state, reason, seenHash: seen, etag, lastModified } = history
  const hasValidators = state === 'visited' && (etag !== null || lastModified !== null)
  const isSent = hasValidators && sendsValidators(host, { id: Number(row['url_id']), visits: history.visits })
  return { state, reason, seenHash: seen, validators: isSent ? { etag, lastModified } : null }
}

const NO_FRESHNESS = { etag: null, lastModified: null, isUnchanged: false }

/** From a row of `recrawls`. */
export function toBudget(row: Row): RevisitBudget | null {
  if (row['threshold'] === null || row['tokens'] === null) return null
  return { threshold: Number(row['threshold']), tokens: Number(row['tokens']), updatedAt: Number(row['updated_at']) }
}

/** From a row of `revisit_hosts`. */
export function toHostFreshness(row: Row | undefined): HostFreshness {
  if (row === undefined) return NEW_HOST
  return {
    tests: Number(row['tests']),
    honest: Number(row['honest']),
    lied: Number(row['lied']),
    rates: {
      looks: Number(row['looks']),
      weight: Number(row['weight']),
      logRates: Number(row['log_rates']),
      squaredLogRates: Number(row['squared_log_rates']),
    },
  }
}

/** In this order in statements that add to a row. */
export const HOST_COUNTS = ['tests', 'honest', 'lied'] as const
export const HOST_RATES = ['looks', 'weight', 'log_rates', 'squared_log_rates'] as const

export function hostGainValues({ tests, honest, lied, rates }: HostFreshness): number[] {
  return [tests, honest, lied, rates.looks, rates.weight, rates.logRates, rates.squaredLogRates]
}
