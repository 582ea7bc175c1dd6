// Converts reports of external crawlers and indexers between their rows and the port.

import type { IndexerReport, TaskErrors } from '../../ports/external.ts'

type Row = Record<string, unknown>

export function toIndexerReport(row: Row): IndexerReport {
  return {
    crawlId: String(row['crawl']),
    indexerId: String(row['indexer']),
    status: String(row['status']),
    processedPages: Number(row['processed_pages']),
    reportedAt: Number(row['reported_at']),
  }
}

export function toTaskErrors(row: Row): TaskErrors {
  return {
    crawlId: String(row['crawl']),
    url: String(row['url']),
    crawlerId: String(row['crawler']),
    errors: String(row['errors']),
    reportedAt: Number(row['reported_at']),
  }
}
