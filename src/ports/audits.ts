// Audits of crawls: what is wrong with the site, by rule. A crawl has at most one audit that runs, and keeps the last one
// that finished. Reports of an audit that was cancelled, replaced or removed change nothing.

import type { CrawlStatus } from '../lib/states.ts'

const AUDIT_STATES = ['running', 'finished', 'failed', 'cancelled'] as const
export type AuditState = (typeof AUDIT_STATES)[number]

/** URLs as rows, links between them, archived pages, and rows again with all of that known. */
export const AUDIT_STAGES = ['urls', 'links', 'pages', 'findings'] as const
export type AuditStage = (typeof AUDIT_STAGES)[number]

/** Findings of a rule that are listed. Further ones are only counted. */
export const MAX_LISTED_FINDINGS = 10_000
/** Findings that are stored together. */
export const FINDINGS_PER_CHUNK = 200

/** A process that has not reported for this long is gone. */
export const AUDIT_LOST_AFTER_MS = 60_000

export interface AuditProgress {
  stage: AuditStage
  /** Progress within this stage. */
  done: number
  total: number
}

export interface AuditFinding {
  urlId: number
  url: string
  /** The URL that it links to, redirects to or equals, if there is one. */
  otherUrlId: number | null
  otherUrl: string | null
  /** A text of the page: an anchor text, a title. */
  text: string | null
  detail: string
}

/**
 * Why a rule could not be applied: no page was visited, nothing is archived, no sitemap was read, the site was not
 * crawled before, or not all pages were visited.
 */
export const SKIP_REASONS = [
  'nothing_visited',
  'no_archive',
  'no_sitemap',
  'no_earlier_crawl',
  'crawl_incomplete',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export interface AuditSummary {
  urls: number
  /** Archived pages that were examined, and archived pages that could not be read. */
  pages: number
  unreadPages: number
  /** URLs that the crawl had not visited yet, and its status then. */
  openUrls: number
  crawlStatus: CrawlStatus
  /** The crawl that statuses were compared with. */
  earlierCrawlId: string | null
  /** Findings by rule. */
  counts: Record<string, number>
  skipped: Record<string, SkipReason>
}

export interface Audit {
  id: number
  crawlId: string
  state: AuditState
  startedAt: number
  /** Time of the last report. */
  updatedAt: number
  finishedAt: number | null
  progress: AuditProgress
  /** Null until the audit has finished. */
  summary: AuditSummary | null
  /** Why it failed. */
  problem: string | null
}

export type AuditEnd =
  | { state: 'finished'; summary: AuditSummary }
  | { state: 'failed'; problem: string }
  | { state: 'cancelled' }

export interface Audits {
  /** Cancels the running audit, if any. Null if the crawl does not exist. */
  begin(crawlId: string, at: number): Promise<number | null>
  /** False: the audit must stop. */
  report(auditId: number, progress: AuditProgress, at: number): Promise<boolean>
  /** `chunk` counts from 0 for each rule; all chunks but the last are full. False: the audit must stop. */
  add(auditId: number, rule: string, chunk: number, findings: readonly AuditFinding[]): Promise<boolean>
  /** Ends an audit. If it finished, it replaces the previous finished audit. */
  end(auditId: number, end: AuditEnd, at: number): Promise<void>
  /** False if no audit is running. */
  cancel(crawlId: string, at: number): Promise<boolean>
  /** The most recently started audit, and the most recently finished one. */
  latest(crawlId: string): Promise<{ last: Audit | null; finished: Audit | null }>
  /** Findings in the order of discovery, after the first `skip`. */
  findings(auditId: number, rule: string, skip: number, limit: number): Promise<AuditFinding[]>
}
