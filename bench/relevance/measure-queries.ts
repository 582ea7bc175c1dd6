// Cost of queries, and how many of their first ten hits agree with a search that scores every match.

import { quantile } from '../../test/testing/statistics.ts'
import { mean } from './metrics.ts'
import type { OpenSearch } from './open-search.ts'

const FIRST_HITS = 10
/** Every third query only warms up the code. All others run once, so that no query finds its own words in a cache. */
const WARM_UP = 3

export interface QueryCosts {
  queries: number
  cpuP50Ms: number
  cpuP95Ms: number
  /** Share of the first ten hits of a search without limits. */
  overlap: number
  /** Overlap of the query with the smallest overlap. */
  leastOverlap: number
}

export async function measureQueries(
  queries: readonly string[],
  search: OpenSearch,
  readCpuMs: () => number,
): Promise<QueryCosts> {
  const warmUp = queries.filter((_, i) => i % WARM_UP === 0)
  const measured = queries.filter((_, i) => i % WARM_UP !== 0)
  const found = new Map<string, string[]>()
  for (const text of warmUp) found.set(text, urlsOf(await search.find(text, FIRST_HITS)))
  const cpu: number[] = []
  for (const text of measured) {
    const startedAt = readCpuMs()
    const hits = await search.find(text, FIRST_HITS)
    cpu.push(readCpuMs() - startedAt)
    found.set(text, urlsOf(hits))
  }
  const overlaps: number[] = []
  for (const [text, urls] of found) {
    const best = urlsOf(await search.findAmongAll(text, FIRST_HITS))
    overlaps.push(best.length === 0 ? 1 : best.filter((url) => urls.includes(url)).length / best.length)
  }
  return {
    queries: queries.length,
    cpuP50Ms: quantile(cpu, 0.5),
    cpuP95Ms: quantile(cpu, 0.95),
    overlap: mean(overlaps),
    leastOverlap: Math.min(...overlaps),
  }
}

function urlsOf(hits: readonly { url: string }[]): string[] {
  return hits.map(({ url }) => url)
}
