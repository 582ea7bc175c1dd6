// The search index on SQLite: reads search.db while the indexer may write to it.

import type { DatabaseSync } from 'node:sqlite'
import type { FacetCount, IndexHit, IndexQuery, IndexResult, SearchIndex, TermEntry } from '../../../ports/search.ts'
import { MAX_OFFSET } from '../../../ports/search.ts'
import { type ArrangedHit, arrangeHits, comparatorFor } from '../../rank/arrange-hits.ts'
import { SnippetMaker } from '../../snippet/make-snippet.ts'
import { hostOf } from '../../url-parts.ts'
import { type DisplayFields, readDisplayFields } from '../text-blocks.ts'
import { findCandidates, type RankedCandidate } from './candidates.ts'
import { findDamage } from './find-damage.ts'
import { CANDIDATE_LIMITS, type CandidateLimits } from './select-documents.ts'
import { readStatus } from './status.ts'
import { suggestTitles, suggestWords } from './suggestions.ts'
import { readTermEntry } from './term-entry.ts'
import { countPhrases, readTermsFrom } from './vocabulary.ts'

const NOTHING: DisplayFields = { text: '', keywords: [], entities: [] }

export class SqliteIndex implements SearchIndex {
  readonly #db: DatabaseSync
  readonly #now: () => number
  readonly #limits: CandidateLimits
  readonly #document
  readonly #isIndexed
  readonly #linkRanks

  constructor(db: DatabaseSync, now: () => number, candidateLimits: CandidateLimits = CANDIDATE_LIMITS) {
    this.#db = db
    this.#now = now
    this.#limits = candidateLimits
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

  async find(query: IndexQuery): Promise<IndexResult> {
    return this.#inSnapshot(() => {
      const { found, more, total, isTotalExact, fullMatches, facets, explain } = findCandidates(
        this.#db,
        query,
        this.#limits,
      )
      const end = query.offset + query.limit
      const ranked = found.sort(comparatorFor(query.sort))
      let arranged = this.#arrange(ranked, query)
      const later = end < arranged.length ? [] : more().sort(comparatorFor(query.sort))
      // Appended, so that earlier pages of hits stay the same.
      if (later.length > 0) arranged = this.#arrange(ranked, query, later)
      const shown = arranged.slice(query.offset, end)
      const hasMore = end < arranged.length && end <= MAX_OFFSET
      const texts = readDisplayFields(
        this.#db,
        shown.map(({ pageId }) => pageId),
      )
      const snippets = new SnippetMaker(query)
      const hits = shown.map((hit, i) => {
        const fields = query.explains ? explain(hit.pageId) : {}
        return this.#toHit(hit, { ...(texts[i] ?? NOTHING), fields, snippets })
      })
      return { hits, total: Math.max(total, ranked.length + later.length), isTotalExact, fullMatches, hasMore, facets }
    })
  }

  async term(term: string, limit: number): Promise<TermEntry | null> {
    return this.#inSnapshot(() => readTermEntry(this.#db, term, limit))
  }

  async wordsFrom(prefix: string, limit: number): Promise<FacetCount[]> {
    return suggestWords(this.#db, prefix, limit)
  }

  async titlesFrom(prefix: string, limit: number): Promise<string[]> {
    return suggestTitles(this.#db, prefix, limit)
  }

  async termsFrom(prefix: string, limit: number): Promise<FacetCount[]> {
    return readTermsFrom(this.#db, prefix, limit)
  }

  async phraseCounts(phrases: string[][], maxOfTerm?: number): Promise<number[]> {
    return this.#inSnapshot(() => countPhrases(this.#db, phrases, maxOfTerm))
  }

  async isIndexed(pageId: number): Promise<boolean> {
    return this.#isIndexed.get(pageId) !== undefined
  }

  async linkRanks(crawlId: string, after: number, limit: number): ReturnType<SearchIndex['linkRanks']> {
    const rows = this.#linkRanks.all(crawlId, after, limit)
    return rows.map((row) => ({ urlId: Number(row['url_id']), linkRank: Number(row['link_rank']) }))
  }

  async findDamage(): Promise<string[]> {
    return this.#inSnapshot(() => findDamage(this.#db))
  }

  /** The store knows which pages are waiting: see withLag. */
  async status() {
    return readStatus(this.#db, this.#now())
  }

  /** Arranges more hits than can be requested, so that consecutive pages of hits fit together. */
  #arrange(
    ranked: RankedCandidate[],
    query: IndexQuery,
    later: RankedCandidate[] = [],
  ): ArrangedHit<RankedCandidate>[] {
    const first = ranked.slice(0, this.#limits.maxScored)
    return arrangeHits(first, query, later.slice(0, this.#limits.maxScored - first.length))
  }

  /** Reads from one snapshot, whatever is written in the meantime. */
  #inSnapshot<T>(read: () => T): T {
    this.#db.exec('begin')
    try {
      return read()
    } finally {
      this.#db.exec('commit')
    }
  }

  #toHit(
    hit: ArrangedHit<RankedCandidate>,
    {
      text,
      keywords,
      fields,
      snippets,
    }: DisplayFields & { fields: IndexHit['parts']['fields']; snippets: SnippetMaker },
  ): IndexHit {
    const row = this.#document.get(hit.pageId) ?? {}
    const url = String(row['url'])
    const title = String(row['title'])
    const lang = row['lang'] as string | null
    return {
      pageId: hit.pageId,
      crawlId: String(row['uuid']),
      url,
      host: hostOf(url),
      version: Number(row['version']),
      title,
      lang,
      contentType: row['content_type'] as string | null,
      visitedAt: Number(row['visited_at']),
      changedAt: hit.changedAt,
      snippet: snippets.makeSnippet(text, lang),
      titleHighlights: snippets.findHighlights(title, lang),
      keywords,
      similar: hit.similar,
      score: hit.score,
      parts: { text: hit.text, linkRank: hit.linkRank, language: hit.language, freshness: hit.freshness, fields },
    }
  }
}
