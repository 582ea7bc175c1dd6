// Converts rows of the store to JSON.

import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import type { UrlSummary, VisitRow } from '../../ports/browse.ts'
import { hasScreenshot, type PageVersion } from '../../ports/pages.ts'
import type { UrlRow } from '../../ports/urls.ts'
import type { WorkerRow } from '../../ports/workers.ts'
import type { PageDetails } from '../contract/pages.ts'
import type { Worker } from '../contract/system.ts'
import type { PageSummary, Url, Visit } from '../contract/urls.ts'

export function urlJson(row: UrlRow): z.output<typeof Url> {
  const schemeEnd = row.url.indexOf('//') + 2
  return {
    url_id: row.id,
    url: row.url,
    host: new URL(row.url).host,
    name: row.url.slice(schemeEnd).replace(/\/+$/, '').toUpperCase(),
    http_type: row.url.slice(0, schemeEnd).toUpperCase(),
    state: row.state,
    reason: row.reason,
    kind: row.kind,
    depth: row.depth,
    priority: row.priority,
    http_status: row.httpStatus,
    content_type: row.contentType,
    content_length: row.contentLength,
    content_hash: row.contentHash,
    title: row.title,
    discovered_from: row.discoveredFrom,
    redirect_to: row.redirectTo,
    canonical: row.canonical,
    noindex: row.noindex,
    attempts: row.attempts,
    fetch_ms: row.fetchMs,
    ip: row.ip,
    proxy: row.proxy,
    first_seen_at: isoTime(row.firstSeenAt),
    visited_at: isoTimeOrNull(row.visitedAt),
  }
}

export function linkJson({ id, url, state, title }: UrlSummary) {
  return { url_id: id, url, state, title }
}

export function visitJson(visit: VisitRow): z.output<typeof Visit> {
  return {
    attempt: visit.attempt,
    state: visit.state,
    reason: visit.reason,
    http_status: visit.httpStatus,
    content_type: visit.contentType,
    content_length: visit.contentLength,
    fetch_ms: visit.fetchMs,
    processing_ms: visit.processingMs,
    visited_by: visit.visitedBy,
    visited_at: isoTime(visit.visitedAt),
    ip: visit.ip,
    proxy: visit.proxy,
    redirect_to: visit.redirectTo,
  }
}

export function pageJson(version: PageVersion): z.output<typeof PageSummary> {
  return {
    page_id: version.id,
    crawl_id: version.crawlId,
    version: version.version,
    visited_at: isoTime(version.visitedAt),
    http_status: version.httpStatus,
    content_type: version.contentType,
    content_length: version.contentLength,
    content_hash: version.contentHash,
    title: version.title,
    changes: version.changes,
    is_kept: version.isArchived,
    has_screenshot: hasScreenshot(version),
    note: version.note,
  }
}

export function pageDetailsJson(version: PageVersion, resemblesUrl: string | null): z.output<typeof PageDetails> {
  return {
    ...pageJson(version),
    url: version.url,
    first_seen_at: isoTime(version.firstSeenAt),
    expires_at: isoTimeOrNull(version.expiresAt),
    payload_digest: version.payloadDigest,
    redirect_to: version.redirectTo,
    canonical: version.canonical,
    noindex: version.noindex,
    fetch_ms: version.fetchMs,
    wire_bytes: version.wireBytes,
    charset: version.charset,
    lang: version.lang,
    description: version.description,
    keywords: version.keywords,
    words: version.words,
    fingerprint: version.fingerprint,
    resembles: version.resembles,
    resembles_url: resemblesUrl,
    record: version.record,
    payload: version.payload,
  }
}

export function workerJson({ figures, ...row }: WorkerRow): z.output<typeof Worker> {
  return {
    worker_id: row.id,
    name: row.name,
    version: row.version,
    state: row.state,
    note: row.note,
    started_at: isoTime(row.startedAt),
    seen_at: isoTime(row.seenAt),
    cpu_percent: figures.cpuPercent,
    rss_bytes: figures.rssBytes,
    loop_delay_ms: figures.loopDelayMs,
    requests: figures.requests,
    answers: figures.answers,
    bytes: figures.bytes,
    in_flight: figures.inFlight,
    last_answer_at: isoTimeOrNull(figures.lastAnswerAt),
    recent_requests: figures.recentRequests,
    recent_failures: figures.recentFailures,
    held: figures.held,
  }
}
