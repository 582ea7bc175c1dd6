// Link ranks by URL, for documents that exist and for those indexed later. Writing calls are part of a transaction of
// the feed.

import type { DatabaseSync } from 'node:sqlite'
import type { LinkRank } from '../../../ports/search.ts'

export class LinkRanks {
  readonly #crawlNumber: (uuid: string) => number
  readonly #read
  readonly #save
  readonly #setOfDocument
  readonly #ranked
  readonly #record
  readonly #otherCrawls
  readonly #deleteRanks
  readonly #deleteCrawls

  /** `crawlNumber` returns the number of a crawl in the index. */
  constructor(db: DatabaseSync, crawlNumber: (uuid: string) => number) {
    this.#crawlNumber = crawlNumber
    this.#read = db.prepare('select link_rank, inlinks from ranks where crawl = ? and url_id = ?')
    this.#save = db.prepare(
      `insert into ranks (crawl, url_id, link_rank, inlinks) values (?, ?, ?, ?)
       on conflict do update set link_rank = excluded.link_rank, inlinks = excluded.inlinks`,
    )
    this.#setOfDocument = db.prepare(
      `update documents set link_rank = ?1, inlinks = ?2 where crawl = ?3 and url_id = ?4
         and (link_rank <> ?1 or inlinks <> ?2)`,
    )
    this.#ranked = db.prepare('select ranked_at from crawls where uuid = ?')
    this.#record = db.prepare('update crawls set ranked_at = ? where id = ?')
    const others = 'from crawls where uuid not in (select value from json_each(?))'
    this.#otherCrawls = db.prepare(`select 1 ${others} limit 1`)
    this.#deleteRanks = db.prepare(`delete from ranks where crawl in (select id ${others})`)
    this.#deleteCrawls = db.prepare(
      `delete ${others} and not exists (select 1 from documents d where d.crawl = crawls.id)`,
    )
  }

  of(crawlId: string, urlId: number): Pick<LinkRank, 'linkRank' | 'inlinks'> {
    const row = this.#read.get(this.#crawlNumber(crawlId), urlId)
    return { linkRank: Number(row?.['link_rank'] ?? 0), inlinks: Number(row?.['inlinks'] ?? 0) }
  }

  save(crawlId: string, ranks: LinkRank[]): void {
    const crawl = this.#crawlNumber(crawlId)
    for (const { urlId, linkRank, inlinks } of ranks) {
      this.#save.run(crawl, urlId, linkRank, inlinks)
      this.#setOfDocument.run(linkRank, inlinks, crawl, urlId)
    }
  }

  visitedWhenRanked(crawlId: string): number {
    return Number(this.#ranked.get(crawlId)?.['ranked_at'] ?? 0)
  }

  record(crawlId: string, visited: number): void {
    this.#record.run(visited, this.#crawlNumber(crawlId))
  }

  hasOthers(crawlIds: string[]): boolean {
    return this.#otherCrawls.get(JSON.stringify(crawlIds)) !== undefined
  }

  deleteOthers(crawlIds: string[]): void {
    const keptCrawlIds = JSON.stringify(crawlIds)
    this.#deleteRanks.run(keptCrawlIds)
    this.#deleteCrawls.run(keptCrawlIds)
  }
}
