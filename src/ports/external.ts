// Store operations for external crawlers, besides the frontier.

/** A task that was handed out and not reported yet. */
export interface ExternalVisit {
  crawlId: string
  urlId: number
  /** Number of earlier visits of the URL. */
  attempts: number
}

/** How long a document is kept while the report of its visit is missing. */
export const DOCUMENT_RETENTION_MS = 86_400_000

/** The progress of an external indexer with a crawl. */
export interface IndexerReport {
  crawlId: string
  indexerId: string
  status: string
  processedPages: number
  reportedAt: number
}

/** Errors of a task, as its crawler reported them. */
export interface TaskErrors {
  crawlId: string
  url: string
  crawlerId: string
  /** A list of anything, as JSON. */
  errors: string
  reportedAt: number
}

/** Errors kept per crawl; older ones are deleted. */
export const MAX_TASK_ERRORS = 50

export interface ExternalCrawlers {
  /** The secret that signs task ids, the same for all processes of the store. The first offered secret is stored. */
  getOrCreateSecret(offer: string): Promise<string>
  /** Stores a document that arrived before the report of its visit. A later one replaces it. Old ones are deleted. */
  saveDocument(visit: ExternalVisit, document: string, at: number): Promise<void>
  findDocument(visit: ExternalVisit): Promise<string | null>
  /** Replaces the last report of the indexer about the crawl. */
  saveIndexerReport(report: IndexerReport): Promise<void>
  listIndexerReports(crawlId: string): Promise<IndexerReport[]>
  addTaskErrors(taskErrors: TaskErrors): Promise<void>
  /** Newest first. */
  listTaskErrors(crawlId: string): Promise<TaskErrors[]>
}
