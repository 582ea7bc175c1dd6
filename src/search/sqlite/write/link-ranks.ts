// Link ranks by crawl and URL, for documents that exist and for documents indexed later. Writing calls are part of a
// transaction of the feed. URLs are stored as hashes: two URLs with the same hash share a rank, which does no harm.

import type { DatabaseSync } from 'node:sqlite'
import type { Crawl } from '../../../ports/crawls.ts'
import { type LinkRank, MIN_GRAPH_SHARE } from '../../../ports/search.ts'
import { textHash } from '../../text-hash.ts'

export type RankedCrawl = Pick<Crawl, 'id' | 'createdAt'>
type DocumentRank = Pick<LinkRank, 'linkRank' | 'inlinks'>

const DELETED_AT_ONCE = 10_000

export class LinkRanks {
  readonly #crawlNumber: (uuid: string) => number
  readonly #choose
  readonly #setCrawl
  readonly #save
  readonly #setOfDocument
  readonly #ranked
  readonly #record
  readonly #otherCrawls
  readonly #deleteSome
  readonly #deleteCrawls

  /** `crawlNumber` returns the number of a crawl in the index. */
  constructor(db: DatabaseSync, crawlNumber: (uuid: string) => number) {
    this.#crawlNumber = crawlNumber
    this.#choose = db.prepare(
      `select iif(r.is_list, 0, r.link_rank) as link_rank, r.inlinks from ranks r join crawls c on c.id = r.crawl
       where r.url_hash = ?1
         and r.host_pages >= ${MIN_GRAPH_SHARE} * (select max(host_pages) from ranks where url_hash = ?1)
       order by c.created_at desc, c.uuid desc limit 1`,
    )
    this.#setCrawl = db.prepare('update crawls set created_at = ? where id = ?')
    this.#save = db.prepare(
      `insert into ranks (crawl, url_id, url_hash, link_rank, inlinks, host_pages, is_list)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict do update set link_rank = excluded.link_rank, inlinks = excluded.inlinks,
         host_pages = excluded.host_pages, is_list = excluded.is_list`,
    )
    this.#setOfDocument = db.prepare(
      `update documents set link_rank = ?1, inlinks = ?2 where url_hash = ?3 and (link_rank <> ?1 or inlinks <> ?2)`,
    )
    this.#ranked = db.prepare('select ranked_at from crawls where uuid = ?')
    this.#record = db.prepare('update crawls set ranked_at = ? where id = ?')
    const others = 'from crawls where uuid not in (select value from json_each(?))'
    this.#otherCrawls = db.prepare(`select 1 ${others} limit 1`)
    this.#deleteSome = db.prepare(
      `delete from ranks where (crawl, url_id) in (
         select crawl, url_id from ranks where crawl in (select id ${others}) limit ${DELETED_AT_ONCE})
       returning url_hash`,
    )
    this.#deleteCrawls = db.prepare(
      `delete ${others} and not exists (select 1 from documents d where d.crawl = crawls.id)`,
    )
  }

  /** The rank of a URL in searches. */
  of(urlHash: number): DocumentRank {
    return this.#chosen(urlHash) ?? { linkRank: 0, inlinks: 0 }
  }

  save(crawl: RankedCrawl, ranks: LinkRank[]): void {
    const number = this.#crawlNumber(crawl.id)
    this.#setCrawl.run(crawl.createdAt, number)
    for (const { urlId, url, linkRank, inlinks, hostPages, isLinkList } of ranks) {
      const hash = textHash(url)
      this.#save.run(number, urlId, hash, linkRank, inlinks, hostPages, Number(isLinkList))
      this.#updateDocument(hash)
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

  /** Deletes some of the ranks of all other crawls. Returns whether none are left. */
  deleteSomeOthers(crawlIds: string[]): boolean {
    const deleted = this.#deleteSome.all(JSON.stringify(crawlIds))
    for (const row of deleted) this.#updateDocument(Number(row['url_hash']))
    return deleted.length === 0
  }

  deleteOtherCrawls(crawlIds: string[]): void {
    this.#deleteCrawls.run(JSON.stringify(crawlIds))
  }

  /** If the URL of a document has no ranks left, the document keeps its rank. */
  #updateDocument(urlHash: number): void {
    const chosen = this.#chosen(urlHash)
    if (chosen !== null) this.#setOfDocument.run(chosen.linkRank, chosen.inlinks, urlHash)
  }

  #chosen(urlHash: number): DocumentRank | null {
    const row = this.#choose.get(urlHash)
    return row === undefined ? null : { linkRank: Number(row['link_rank']), inlinks: Number(row['inlinks']) }
  }
}
