// Measures the relevance of an index: searches for each page by the words of its title and by a rare phrase.

import type { SearchIndex } from '../../src/ports/search.ts'
import { NO_SYNONYMS } from '../../src/search/query/synonyms.ts'
import { IndexLanguages } from '../../src/search/service/index-languages.ts'
import { runSearch } from '../../src/search/service/run-search.ts'
import { makeCorpusPage } from './corpus.ts'

export interface Relevance {
  queries: number
  /** Mean reciprocal rank of the page; 0 if it is not among the first ten. */
  mrr: number
  ndcg10: number
  /** Ids of the pages found, in the order of the queries. */
  found: number[][]
}

const NOW = Date.UTC(2026, 10, 15)

export async function measureRelevance(index: SearchIndex, pages: number, queries: number): Promise<Relevance> {
  const dependencies = {
    index,
    synonyms: NO_SYNONYMS,
    languages: new IndexLanguages(() => NOW),
    now: () => NOW,
    resolveCrawlId: async () => null,
  }
  const query = {
    crawl: null,
    allowedCrawlIds: null,
    preferredLang: null,
    limit: 10,
    offset: 0,
    sort: 'relevance' as const,
  }
  const plain = { wantsFacets: false, explains: false, groupsSimilar: true }
  let [reciprocal, gain] = [0, 0]
  const found: number[][] = []
  for (let i = 0; i < queries; i++) {
    const page = makeCorpusPage(Math.floor((i * pages) / queries))
    const text = i % 2 === 0 ? page.title : `"${page.phrase}"`
    const { hits } = await runSearch({ text, ...query, ...plain }, dependencies)
    found.push(hits.map(({ pageId }) => pageId))
    const rank = hits.findIndex(({ url }) => url === page.url)
    if (rank === -1) continue
    reciprocal += 1 / (rank + 1)
    // Only one page is relevant, so the ideal gain is 1.
    gain += 1 / Math.log2(rank + 2)
  }
  return { queries, mrr: reciprocal / queries, ndcg10: gain / queries, found }
}
