// What a process with an API has to tell beside the figures of its other roles.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric } from '../../lib/metrics.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { indexMetrics } from '../../search/indexer/metrics.ts'
import { checkReadiness, type ReadinessDependencies } from './readiness.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface ApiMetricsDependencies {
  requestMetrics: RequestMetrics
  readiness: ReadinessDependencies
  /** Null when nothing was ever indexed. */
  search: Pick<SearchIndex, 'status'> | null
}

const INDEX_MS = 2_000

export async function apiMetrics({
  requestMetrics,
  readiness: ready,
  search,
}: ApiMetricsDependencies): Promise<Metric[]> {
  const [{ ready: isReady }, index] = await Promise.all([checkReadiness(ready), readIndexMetrics(search)])
  const help = '1 while the API can do its work, as /readyz has it.'
  return [
    { name: 'orbweaver_api_ready', help, type: 'gauge', values: [{ value: isReady ? 1 : 0 }] },
    ...index,
    ...requestMetrics.metrics(),
  ]
}

/** Nothing while the index does not answer, which is no reason to keep the other figures back. */
async function readIndexMetrics(search: ApiMetricsDependencies['search']): Promise<Metric[]> {
  if (search === null) return indexMetrics({ documents: 0, waiting: 0, lagMs: 0 })
  const told = search.status().then(indexMetrics, () => [])
  return Promise.race([told, sleep(INDEX_MS, [], { ref: false })])
}
