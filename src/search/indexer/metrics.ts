// Prometheus metrics of the search index, the same from every process that reports them.

import type { Metric } from '../../lib/metrics.ts'
import type { IndexStatus } from '../../ports/search.ts'

export function indexMetrics(status: Pick<IndexStatus, 'documents' | 'waiting' | 'lagMs'>): Metric[] {
  return [gauge('orbweaver_index_documents', 'Documents in the search index.', status.documents), ...lagMetrics(status)]
}

export function lagMetrics({ waiting, lagMs }: Pick<IndexStatus, 'waiting' | 'lagMs'>): Metric[] {
  return [
    gauge('orbweaver_index_waiting_pages', 'Archived pages waiting to be indexed.', waiting),
    gauge('orbweaver_index_lag_seconds', 'Time the oldest waiting page has waited.', lagMs / 1000),
  ]
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', values: [{ value }] }
}
