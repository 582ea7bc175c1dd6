// The index as those see it who search: reads search.db, while the indexer may write to it.

import type { DatabaseSync } from 'node:sqlite'
import type { FacetCount, IndexAnswer, IndexHit, IndexQuery, SearchIndex, TermEntry } from '../../ports/search.ts'
import { MAX_OFFSET } from '../../ports/search.ts'
import { type Arranged, arrange, compareCandidates } from '../rank/arrange.ts'
import { hostOf } from '../url-parts.ts'
import { type Found, findCandidates, LIMITS, type Limits } from './candidates.ts'
import { findDamage } from './damage.ts'
import { readStatus } from './status.ts'
import { readTerm } from './term.ts'
import { readShown, type Shown } from './text-blocks.ts'
import { countWords, titlesFrom, wordsFrom } from './vocabulary.ts'

const NOTHING: Shown = { text: '', keywords: [], entities: [] }

function orderOf({ sort }: IndexQuery): (a: Found, b: Found) => number {
  if (sort !== 'newest') return compareCandidates
  return (a, b) => b.changedAt - a.changedAt || compareCandidates(a, b)
}

export class SqliteIndex implements SearchIndex {
  readonly #db: DatabaseSync
  readonly #now: () => number
  readonly #limits: Limits
  readonly #document
  readonly #isIndexed
  readonly #linkRanks

  constructor(db: DatabaseSync, now: () => number, limits: Limits = LIMITS) {
    this.#db = db
    this.#now = now
    this.#limits = limits
    this.#document = db.prepare(
      `select d.url, d.version, d.title, d.lang, d.content_type, d.visited_at, d.changed_at, c.uuid
       from documents d join crawls c on c.id = d.crawl where d.page_id = ?`,
    )
    this.#linkRanks = db.prepare(
      `select url_id, link_rank from ranks where crawl = (select id from crawls where uuid = ?) and url_id > ?
       order by url_id limit ?`,
    )
    this.#isIndexed = db.prepare('select 1 from documents where page_id = ?')
  }

  async find(query: IndexQuery): Promise<IndexAnswer> {
    return this.#inOneView(() => {
      const { found, more, total, isTotalExact, facets, explain } = findCandidates(this.#db, query, this.#limits)
      const end = query.offset + query.limit
      let ranked = found.sort(orderOf(query))
      let arranged = this.#arrange(ranked, query)
      const rest = end < arranged.length ? [] : more()
      if (rest.length > 0) {
        // Behind those that the pages before this one are made from.
        ranked = [...ranked, ...rest.sort(orderOf(query))]
        arranged = this.#arrange(ranked, query)
      }
      const shown = arranged.slice(query.offset, end)
      const hasMore = end < arranged.length && end <= MAX_OFFSET
      const texts = readShown(
        this.#db,
        shown.map(({ pageId }) => pageId),
      )
      const hits = shown.map((hit, i) => {
        const fields = query.explains ? explain(hit.pageId) : {}
        return this.#toHit(hit, texts[i] ?? NOTHING, fields)
      })
      return { hits, total: Math.max(total, ranked.length), isTotalExact, hasMore, facets }
    })
  }

  async term(term: string, limit: number): Promise<TermEntry | null> {
    return this.#inOneView(() => readTerm(this.#db, term, limit))
  }

  async wordsFrom(prefix: string, limit: number): Promise<FacetCount[]> {
    return wordsFrom(this.#db, prefix, limit)
  }

  async titlesFrom(prefix: string, limit: number): Promise<string[]> {
    return titlesFrom(this.#db, prefix, limit)
  }

  async wordCounts(words: string[]): Promise<number[]> {
    return countWords(this.#db, words)
  }

  async isIndexed(pageId: number): Promise<boolean> {
    return this.#isIndexed.get(pageId) !== undefined
  }

  async linkRanks(crawlId: string, after: number, limit: number): ReturnType<SearchIndex['linkRanks']> {
    const rows = this.#linkRanks.all(crawlId, after, limit)
    return rows.map((row) => ({ urlId: Number(row['url_id']), linkRank: Number(row['link_rank']) }))
  }

  async damage(): Promise<string[]> {
    return this.#inOneView(() => findDamage(this.#db))
  }

  /** What waits is known to who knows the store: see withLag. */
  async status() {
    return readStatus(this.#db, this.#now())
  }

  /** So many of the best; more than anyone may ask for, so that pages of hits fit together. */
  #arrange(ranked: Found[], { folds, filter }: IndexQuery): Arranged<Found>[] {
    return arrange(ranked.slice(0, this.#limits.most), folds && filter.nearDuplicateOf === null)
  }

  /** What is read belongs together, whatever is written meanwhile. */
  #inOneView<T>(look: () => T): T {
    this.#db.exec('begin')
    try {
      return look()
    } finally {
      this.#db.exec('commit')
    }
  }

  #toHit(hit: Arranged<Found>, { text, keywords }: Shown, fields: IndexHit['parts']['fields']): IndexHit {
    const row = this.#document.get(hit.pageId) ?? {}
    const url = String(row['url'])
    return {
      pageId: hit.pageId,
      crawlId: String(row['uuid']),
      url,
      host: hostOf(url),
      version: Number(row['version']),
      title: String(row['title']),
      lang: row['lang'] as string | null,
      contentType: row['content_type'] as string | null,
      visitedAt: Number(row['visited_at']),
      changedAt: hit.changedAt,
      text,
      keywords,
      similar: hit.similar,
      score: hit.score,
      parts: { text: hit.text, linkRank: hit.linkRank, freshness: hit.freshness, fields },
    }
  }
}
