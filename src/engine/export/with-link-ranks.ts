// Adds link ranks from the search index to URLs: both are ordered by id, so that neither is held in memory completely.

import type { LinkRank, SearchIndex } from '../../ports/search.ts'
import type { UrlRow } from '../../ports/urls.ts'

export interface RankedRow extends UrlRow {
  /** 0 to 1; null if it was never computed. */
  linkRank: number | null
}

export type LinkRankSource = Pick<SearchIndex, 'linkRanks'>

const AT_ONCE = 2000

/** `index` is null if nothing is indexed. */
export async function* withLinkRanks(
  rows: AsyncIterable<UrlRow>,
  crawlId: string,
  index: LinkRankSource | null,
): AsyncGenerator<RankedRow, void, undefined> {
  let ranks: Pick<LinkRank, 'urlId' | 'linkRank'>[] = []
  let next = 0
  let isAtEnd = index === null
  for await (const row of rows) {
    while (next < ranks.length && (ranks[next]?.urlId ?? 0) < row.id) next += 1
    if (index !== null && !isAtEnd && next === ranks.length) {
      ranks = await index.linkRanks(crawlId, row.id - 1, AT_ONCE)
      isAtEnd = ranks.length < AT_ONCE
      next = 0
    }
    const rank = ranks[next]
    yield { ...row, linkRank: rank?.urlId === row.id ? rank.linkRank : null }
  }
}
