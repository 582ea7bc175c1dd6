// The metrics of the API role.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric } from '../../lib/metrics.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { indexMetrics } from '../../search/indexer/metrics.ts'
import { checkReadiness, type ReadinessDependencies } from './readiness.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface ApiMetricsDependencies {
  requestMetrics: RequestMetrics
  readiness: ReadinessDependencies
  /** Null if nothing is indexed. */
  search: Pick<SearchIndex, 'status'> | null
}

const INDEX_MS = 2_000

export async function apiMetrics({
  requestMetrics,
  readiness: ready,
  search,
}: ApiMetricsDependencies): Promise<Metric[]> {
  const [{ ready: isReady }, index] = await Promise.all([checkReadiness(ready), readIndexMetrics(search)])
  const help = '1 if the API is ready, like /readyz.'
  return [
    { name: 'orbweaver_api_ready', help, type: 'gauge', values: [{ value: isReady ? 1 : 0 }] },
    ...index,
    ...requestMetrics.metrics(),
  ]
}

/** Empty if the index does not respond, so that the other metrics are still reported. */
async function readIndexMetrics(search: ApiMetricsDependencies['search']): Promise<Metric[]> {
  if (search === null) return indexMetrics({ documents: 0, waiting: 0, lagMs: 0 })
  const metrics = search.status().then(indexMetrics, () => [])
  return Promise.race([metrics, sleep(INDEX_MS, [], { ref: false })])
}
