// What a process with an API has to tell beside the figures of its other roles.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric } from '../lib/metrics.ts'
import type { SearchIndex } from '../ports/search.ts'
import { indexMetrics } from '../search/indexer/metrics.ts'
import type { RequestFigures } from './figures.ts'
import { type ReadyParts, readiness } from './ready.ts'

export interface ApiMetricsParts {
  figures: RequestFigures
  ready: ReadyParts
  /** Null when nothing was ever indexed. */
  search: Pick<SearchIndex, 'status'> | null
}

const INDEX_MS = 2_000

export async function apiMetrics({ figures, ready, search }: ApiMetricsParts): Promise<Metric[]> {
  const [{ ready: isReady }, index] = await Promise.all([readiness(ready), aboutIndex(search)])
  const help = '1 while the API can do its work, as /readyz has it.'
  return [
    { name: 'orbweaver_api_ready', help, type: 'gauge', values: [{ value: isReady ? 1 : 0 }] },
    ...index,
    ...figures.metrics(),
  ]
}

/** Nothing while the index does not answer, which is no reason to keep the other figures back. */
async function aboutIndex(search: ApiMetricsParts['search']): Promise<Metric[]> {
  if (search === null) return indexMetrics({ documents: 0, waiting: 0, lagMs: 0 })
  const told = search.status().then(indexMetrics, () => [])
  return Promise.race([told, sleep(INDEX_MS, [], { ref: false })])
}
