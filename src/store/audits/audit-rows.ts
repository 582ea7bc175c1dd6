// Converts audits and their findings from rows.

import {
  type Audit,
  type AuditEnd,
  type AuditFinding,
  type AuditState,
  FINDINGS_PER_CHUNK,
} from '../../ports/audits.ts'

export const AUDIT_COLUMNS =
  'a.id, a.state, a.started_at, a.updated_at, a.finished_at, a.progress, a.summary, a.problem, c.uuid'

export const FIRST_PROGRESS = JSON.stringify({ stage: 'urls', done: 0, total: 0 })

function toAudit(row: Record<string, unknown>): Audit {
  const { finished_at: finishedAt, summary } = row
  return {
    id: Number(row['id']),
    crawlId: String(row['uuid']),
    state: String(row['state']) as AuditState,
    startedAt: Number(row['started_at']),
    updatedAt: Number(row['updated_at']),
    finishedAt: finishedAt === null ? null : Number(finishedAt),
    progress: JSON.parse(String(row['progress'])),
    summary: summary === null ? null : JSON.parse(String(summary)),
    problem: row['problem'] as string | null,
  }
}

/** Newest first. */
export function toLatest(rows: Record<string, unknown>[]): { last: Audit | null; finished: Audit | null } {
  const audits = rows.map(toAudit)
  return { last: audits[0] ?? null, finished: audits.find(({ state }) => state === 'finished') ?? null }
}

export function endColumns(end: AuditEnd): { summary: string | null; problem: string | null } {
  return {
    summary: end.state === 'finished' ? JSON.stringify(end.summary) : null,
    problem: end.state === 'failed' ? end.problem : null,
  }
}

export function chunksOf(skip: number, limit: number): { first: number; last: number } {
  const last = Math.floor((skip + Math.max(1, limit) - 1) / FINDINGS_PER_CHUNK)
  return { first: Math.floor(skip / FINDINGS_PER_CHUNK), last }
}

/** `rows` are the chunks from `first` on. */
export function cutFindings(rows: Record<string, unknown>[], skip: number, limit: number): AuditFinding[] {
  const start = skip % FINDINGS_PER_CHUNK
  const findings = rows.flatMap((row): AuditFinding[] => JSON.parse(String(row['findings'])))
  return findings.slice(start, start + limit)
}
