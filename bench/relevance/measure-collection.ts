// Asks every query of a collection and compares the hits with the judgments.

import { quantile } from '../../test/testing/statistics.ts'
import { documentIdAt } from './collection-site.ts'
import { averagePrecision, mean, ndcgAt, recallAt } from './metrics.ts'
import type { OpenSearch } from './open-search.ts'
import type { Collection } from './read-collection.ts'

/** The default of trec_eval. */
const DEPTH = 1000
/** The hits that a person gets, for the time of a query. */
const FIRST_HITS = 10

export interface QueryScores {
  query: string
  hits: number
  ndcg10: number
  averagePrecision: number
  recall100: number
  cpuMs: number
}

export interface CollectionScores {
  ndcg10: number
  map: number
  recall100: number
  /** Queries without any hit; they count as 0 in the means. */
  empty: number
  cpuP50Ms: number
  cpuP95Ms: number
  queries: QueryScores[]
}

export async function measureCollection(
  { documents, queries }: Collection,
  search: OpenSearch,
  readCpuMs: () => number,
): Promise<CollectionScores> {
  const scores: QueryScores[] = []
  for (const { id, text, gains } of queries) {
    const hits = await search.find(text, DEPTH)
    // The hub is a hit that is not relevant: it takes a rank from a document, as it does for a person.
    const ranking = hits.map(({ url }) => gains.get(documentIdAt(url, documents) ?? '') ?? 0)
    const relevant = [...gains.values()]
    scores.push({
      query: id,
      hits: hits.length,
      ndcg10: ndcgAt(10, ranking, relevant),
      averagePrecision: averagePrecision(ranking, relevant),
      recall100: recallAt(100, ranking, relevant),
      cpuMs: 0,
    })
  }
  // Measured in a second round, when code and caches are warm.
  for (const [i, { text }] of queries.entries()) {
    const startedAt = readCpuMs()
    await search.find(text, FIRST_HITS)
    const score = scores[i]
    if (score !== undefined) score.cpuMs = readCpuMs() - startedAt
  }
  const cpu = scores.map(({ cpuMs }) => cpuMs)
  return {
    ndcg10: mean(scores.map(({ ndcg10 }) => ndcg10)),
    map: mean(scores.map((score) => score.averagePrecision)),
    recall100: mean(scores.map(({ recall100 }) => recall100)),
    empty: scores.filter(({ hits }) => hits === 0).length,
    cpuP50Ms: quantile(cpu, 0.5),
    cpuP95Ms: quantile(cpu, 0.95),
    queries: scores,
  }
}
