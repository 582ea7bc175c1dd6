// Monitors, documents and hits as JSON, and rules from JSON.

import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import { describeEvidence } from '../../monitor/describe-hit.ts'
import type {
  Evidence,
  Hit,
  MonitorCounts,
  MonitorRow,
  ProtectedDocument,
  MonitorRule as Rule,
} from '../../ports/monitors.ts'
import type { HitEvidence, Monitor, MonitorDocument, MonitorHit, MonitorRule } from '../contract/monitors.ts'

const NO_HITS = { hits: 0, openHits: 0, lastHitAt: null, deletedHits: 0, droppedHits: 0 }
export const NO_COUNTS: MonitorCounts = { ...NO_HITS, documents: 0, words: 0, mutedUrls: [] }

export function monitorJson(row: MonitorRow, counts: MonitorCounts = NO_COUNTS): z.output<typeof Monitor> {
  return {
    monitor_id: row.id,
    name: row.name,
    rule: ruleJson(row.rule),
    crawl_ids: row.crawlIds,
    include: row.include,
    exclude: row.exclude,
    muted: row.isMuted,
    created_at: isoTime(row.createdAt),
    hits: counts.hits,
    open_hits: counts.openHits,
    last_hit_at: isoTimeOrNull(counts.lastHitAt),
    deleted_hits: counts.deletedHits,
    dropped_hits: counts.droppedHits,
    documents: counts.documents,
    document_words: counts.words,
    muted_urls: counts.mutedUrls,
  }
}

function ruleJson(rule: Rule): z.output<typeof MonitorRule> {
  return rule.kind === 'copies' ? { kind: 'copies', min_words: rule.minWords } : rule
}

export function ruleFromJson(rule: z.output<typeof MonitorRule>): Rule {
  return rule.kind === 'copies' ? { kind: 'copies', minWords: rule.min_words } : rule
}

export function documentJson({ id, title, url, words, addedAt }: ProtectedDocument): z.output<typeof MonitorDocument> {
  return { document_id: id, title, url, words, added_at: isoTime(addedAt) }
}

export function hitJson(hit: Hit, monitorName: string): z.output<typeof MonitorHit> {
  return {
    hit_id: hit.id,
    monitor_id: hit.monitorId,
    monitor_name: monitorName,
    crawl_id: hit.crawlId,
    page_id: hit.pageId,
    url: hit.url,
    version: hit.version,
    title: hit.title,
    visited_at: isoTime(hit.visitedAt),
    at: isoTime(hit.at),
    muted: hit.isMuted,
    acknowledged_at: isoTimeOrNull(hit.acknowledgedAt),
    summary: describeEvidence(hit.evidence),
    evidence: evidenceJson(hit.evidence),
  }
}

function evidenceJson(evidence: Evidence): z.output<typeof HitEvidence> {
  if (evidence.kind !== 'copies') return evidence
  const copies = evidence.copies.map(({ documentId, title, url, words, same, onPage, inDocument }) => {
    return { document_id: documentId, title, url, words, same, on_page: onPage, in_document: inDocument }
  })
  return { kind: 'copies', matches: evidence.matches, copies }
}
