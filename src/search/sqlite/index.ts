// The index as those see it who search: reads search.db, while the indexer may write to it.

import type { DatabaseSync } from 'node:sqlite'
import type { FacetCount, IndexAnswer, IndexHit, IndexQuery, SearchIndex, TermEntry } from '../../ports/search.ts'
import { FIELDS, MAX_OFFSET } from '../../ports/search.ts'
import { type Arranged, arrange, compareCandidates } from '../rank/arrange.ts'
import { hostOf } from '../url-parts.ts'
import { type Found, findCandidates, LIMITS, type Limits } from './candidates.ts'
import { findDamage } from './damage.ts'
import { scoreSql, toMatch } from './match.ts'
import { readStatus, type StatusCache } from './status.ts'
import { readTerm } from './term.ts'
import { readShown } from './text-blocks.ts'
import { countWords, titlesFrom, wordsFrom } from './vocabulary.ts'

/** So many of the best are put in order; more than anyone may ask for, so that pages of hits fit together. */
const MAX_ARRANGED = MAX_OFFSET + 500

export class SqliteIndex implements SearchIndex {
  readonly #db: DatabaseSync
  readonly #now: () => number
  readonly #limits: Limits
  readonly #document
  readonly #isIndexed
  readonly #cache: StatusCache = { seen: -1, at: 0, tookMs: 0, counts: null }

  constructor(db: DatabaseSync, now: () => number, limits: Limits = LIMITS) {
    this.#db = db
    this.#now = now
    this.#limits = limits
    this.#document = db.prepare(
      `select d.url, d.version, d.title, d.lang, d.content_type, d.visited_at, d.changed_at, c.uuid
       from documents d join crawls c on c.id = d.crawl where d.page_id = ?`,
    )
    this.#isIndexed = db.prepare('select 1 from documents where page_id = ?')
  }

  async find(query: IndexQuery): Promise<IndexAnswer> {
    return this.#inOneView(() => {
      const { found, total, isTotalExact, facets } = findCandidates(this.#db, query, this.#limits)
      if (query.sort === 'newest') found.sort((a, b) => b.changedAt - a.changedAt || compareCandidates(a, b))
      else found.sort(compareCandidates)
      const arranged = arrange(found.slice(0, MAX_ARRANGED), query.folds && query.filter.nearDuplicateOf === null)
      const end = query.offset + query.limit
      const shown = arranged.slice(query.offset, end)
      const hasMore = end < arranged.length && end <= MAX_OFFSET
      const texts = readShown(
        this.#db,
        shown.map(({ pageId }) => pageId),
      )
      const hits = shown.map((hit, i) => this.#toHit(hit, texts[i]?.text ?? '', query))
      return { hits, total, isTotalExact, hasMore, facets }
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

  async keywordsOf(pageIds: number[]): Promise<string[][]> {
    return readShown(this.#db, pageIds).map((shown) => shown?.keywords ?? [])
  }

  async isIndexed(pageId: number): Promise<boolean> {
    return this.#isIndexed.get(pageId) !== undefined
  }

  async damage(): Promise<string[]> {
    return this.#inOneView(() => findDamage(this.#db))
  }

  /** What waits is known to who knows the store: see withLag. */
  async status() {
    return readStatus(this.#db, this.#now(), this.#cache)
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

  #toHit(hit: Arranged<Found>, text: string, query: IndexQuery): IndexHit {
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
      similar: hit.similar,
      score: hit.score,
      parts: {
        text: hit.text,
        linkRank: hit.linkRank,
        freshness: hit.freshness,
        fields: query.explains ? this.#fieldsOf(hit.pageId, query) : {},
      },
    }
  }

  /** What the words in each field alone would count for. */
  #fieldsOf(pageId: number, query: IndexQuery): IndexHit['parts']['fields'] {
    const match = query.text === null ? null : toMatch(query.text)
    if (match === null) return {}
    const columns = FIELDS.map((field) => `${scoreSql(field)} as "${field}"`).join(', ')
    // FTS5 passes over a rowid that is no integer, as bound numbers are not.
    const row = this.#db
      .prepare(`select ${columns} from terms where terms match ? and rowid = cast(? as integer)`)
      .get(match, pageId)
    const parts = FIELDS.map((field) => [field, Number(row?.[field] ?? 0)] as const)
    return Object.fromEntries(parts.filter(([, part]) => part > 0))
  }
}
