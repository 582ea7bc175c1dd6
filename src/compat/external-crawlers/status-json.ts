// The status of a crawl and the reports of indexers, as JSON of this API.

import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import { pageCount, TERMINAL_STATES } from '../../lib/states.ts'
import type { UrlProblem } from '../../ports/browse.ts'
import type { CrawlProgress, UrlInFlight } from '../../ports/crawls.ts'
import type { IndexerReport, TaskErrors } from '../../ports/external.ts'
import { isAssigned, isFailed, type TaskState } from './task-states.ts'

export interface CrawlStatusDetails {
  problems: UrlProblem[]
  taskErrors: TaskErrors[]
  inFlight: UrlInFlight[]
  /** Queued tasks that were tried before. */
  requeued: number
}

/** `errors` has the URLs that failed, then what external crawlers reported. */
export function crawlStatusJson(progress: CrawlProgress, details: CrawlStatusDetails) {
  const { problems, taskErrors } = details
  return {
    crawl_id: progress.crawl.id,
    status: progress.crawl.status,
    pages_crawled: pageCount(progress),
    late_reports: progress.lateReports,
    tasks: countTasks(progress, details),
    errors: [...problems.map(failureJson), ...taskErrors.flatMap(taskErrorsJson)],
  }
}

function countTasks({ ledger }: CrawlProgress, { inFlight, requeued }: CrawlStatusDetails): Record<TaskState, number> {
  const ended = TERMINAL_STATES.reduce((sum, state) => sum + ledger[state], 0)
  const failed = TERMINAL_STATES.filter(isFailed).reduce((sum, state) => sum + ledger[state], 0)
  const assigned = inFlight.filter(isAssigned).length
  // The queue may have changed since it was counted.
  const reassigned = Math.min(requeued, ledger.queued)
  return {
    pending: ledger.queued - reassigned,
    assigned,
    'in-progress': inFlight.length - assigned,
    completed: ended - failed,
    failed,
    reassigned,
  }
}

function failureJson({ url, reason, httpStatus, attempts, visitedAt }: UrlProblem) {
  return {
    url,
    status: 'failed',
    error: reason ?? `http_${httpStatus}`,
    retries: Math.max(0, attempts - 1),
    last_attempt: isoTimeOrNull(visitedAt),
  }
}

function taskErrorsJson({ url, crawlerId, errors, reportedAt }: TaskErrors) {
  const texts = JSON.parse(errors) as string[]
  const about = { url, status: 'reported', crawler_id: crawlerId, last_attempt: isoTime(reportedAt) }
  return texts.map((error) => ({ ...about, error }))
}

/** Crawlers send texts or objects. */
export function toErrorText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error)
}

export function indexerReportJson({ crawlId, indexerId, status, processedPages, reportedAt }: IndexerReport) {
  return {
    crawl_id: crawlId,
    indexer_id: indexerId,
    status,
    processed_pages: processedPages,
    reported_at: isoTime(reportedAt),
  }
}
