// Converts runs and their URLs to the JSON of this API.

import { toggleWww } from '../../engine/url/scope.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { FinalUrls } from '../final-urls.ts'
import type { RawUrls } from './raw-urls.ts'
import { toRunConfig } from './run-config.ts'
import type { RunRow } from './run-rows.ts'
import { type RunTotals, runStatus, type StateMapper } from './run-states.ts'

function scopeJson({ rootUrl, requestedUrl, settings }: Crawl) {
  return {
    root_url: rootUrl,
    seed_url: requestedUrl,
    normalized_seed_url: rootUrl,
    allowed_hosts: allowedHosts(rootUrl),
    run_config: toRunConfig(settings),
  }
}

/**
 * The host of the seed and its www variant, the shorter first, for every scope. In the other system, `scopeMode` says
 * whether the rest of the domain is in scope. IP addresses and single-label names have no www variant.
 */
function allowedHosts(url: string): string[] {
  const { hostname } = new URL(url)
  const hasWwwVariant = hostname.includes('.') && !/^\[|^[\d.]+$/.test(hostname)
  return hasWwwVariant ? [hostname, toggleWww(hostname)].toSorted((a, b) => a.length - b.length) : [hostname]
}

export function newRunJson(crawl: Crawl) {
  return {
    id: crawl.id,
    ...scopeJson(crawl),
    status: runStatus(crawl),
    started_at: isoTime(crawl.createdAt),
  }
}

/** Links to known URLs are not counted. */
const UNCOUNTED_DUPLICATES = { duplicates_skipped: null }

export function runJson(crawl: Crawl, totals: RunTotals) {
  return {
    crawl_run_id: crawl.id,
    id: crawl.id,
    status: runStatus(crawl),
    started_at: isoTime(crawl.createdAt),
    completed_at: isoTimeOrNull(crawl.finishedAt),
    ...scopeJson(crawl),
    visited_count: totals.visited,
    redirect_301_count: totals.redirect_301,
    redirect_followed_count: totals.redirect_followed,
    redirect_out_of_scope_count: totals.redirect_out_of_scope,
    forbidden_count: totals.forbidden,
    not_found_count: totals.not_found,
    http_terminal_count: totals.http_terminal,
    failed_count: totals.failed,
    ...UNCOUNTED_DUPLICATES,
    queue_empty: totals.queued === 0,
    in_progress: totals.in_progress,
    summary_hint: `/crawl-runs/${crawl.id}/summary`,
  }
}

export function summaryJson(crawl: Crawl, totals: RunTotals) {
  return {
    crawl_run_id: crawl.id,
    status: runStatus(crawl),
    ...scopeJson(crawl),
    started_at: isoTime(crawl.createdAt),
    finished_at: isoTimeOrNull(crawl.finishedAt),
    ...UNCOUNTED_DUPLICATES,
    totals,
  }
}

export function runListJson(crawl: Crawl, totals: RunTotals) {
  const { allowed_hosts: _hosts, ...scope } = scopeJson(crawl)
  const finishedAt = isoTimeOrNull(crawl.finishedAt)
  return {
    crawl_run_id: crawl.id,
    id: crawl.id,
    status: runStatus(crawl),
    ...scope,
    started_at: isoTime(crawl.createdAt),
    finished_at: finishedAt,
    completed_at: finishedAt,
    totals,
  }
}

/** The last change of a row, as far as known from its visits. */
export function updatedAt({ visitedAt, firstSeenAt }: UrlRow): number {
  return visitedAt ?? firstSeenAt
}

/** Data that a row lacks: the name of its state in this API, the end of its redirects, and its link as written. */
export interface RunUrlContext {
  mapState: StateMapper
  finalUrls: FinalUrls
  rawUrls: RawUrls
}

export function runUrlJson(row: RunRow, { mapState, finalUrls, rawUrls }: RunUrlContext) {
  const { status } = mapState(row)
  const isRedirected = row.state === 'redirected'
  const redirectEnd = isRedirected ? finalUrls.of(row) : null
  const { isFinalInScope } = mapState({ ...row, redirectTo: redirectEnd })
  const isOpen = row.state === 'queued' || row.state === 'in_progress'
  return {
    id: row.id,
    normalized_url: row.url,
    raw_url: rawUrls.of(row),
    discovered_from_url_id: row.discoveredFrom,
    depth: row.depth,
    status,
    retry_count: isOpen ? row.attempts : Math.max(0, row.attempts - 1),
    http_status: row.httpStatus,
    content_type: row.contentType,
    claimed_at: isoTimeOrNull(row.leasedAt),
    claimed_by_worker: row.leasedBy,
    visited_at: isoTimeOrNull(row.visitedAt),
    last_error: row.reason,
    updated_at: isoTime(updatedAt(row)),
    graph_version: String(updatedAt(row)),
    requested_url: row.visitedAt === null ? null : row.url,
    final_url: row.visitedAt === null ? null : isRedirected ? redirectEnd : row.url,
    redirected: isRedirected,
    final_in_scope: isFinalInScope,
  }
}

export type RunUrl = ReturnType<typeof runUrlJson>
