// The search index as Prometheus sees it: the same from every process that tells of it.

import type { Metric } from '../../lib/metrics.ts'
import type { IndexStatus } from '../../ports/search.ts'

export function indexMetrics(status: Pick<IndexStatus, 'documents' | 'waiting' | 'lagMs'>): Metric[] {
  return [gauge('orbweaver_index_documents', 'Documents in the search index.', status.documents), ...lagMetrics(status)]
}

export function lagMetrics({ waiting, lagMs }: Pick<IndexStatus, 'waiting' | 'lagMs'>): Metric[] {
  return [
    gauge('orbweaver_index_waiting_pages', 'Kept pages that are not indexed yet.', waiting),
    gauge('orbweaver_index_lag_seconds', 'How long the first of them has waited.', lagMs / 1000),
  ]
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', values: [{ value }] }
}
