// Progress samples of crawls.

import type { DatabaseSync } from 'node:sqlite'
import { type CrawlHistory, type HistorySample, MAX_SAMPLES, MIN_SAMPLE_GAP_MS } from '../../ports/history.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { toHistorySample } from './history-sample.ts'

const COLUMNS = 'at, pages_per_second, bytes_per_second, in_flight, states'

export class SqliteHistory implements CrawlHistory {
  readonly #transactions: Transactions
  readonly #insert
  readonly #thin
  readonly #of

  constructor(db: DatabaseSync, transactions: Transactions) {
    this.#transactions = transactions
    this.#insert = db.prepare(
      `insert into crawl_samples (crawl, ${COLUMNS})
       select c.id, :at, :pages, :bytes, :inFlight, :states from crawls c
       where c.uuid = :crawl and c.closing is not '${REMOVING}' and not exists (
         select 1 from crawl_samples s where s.crawl = c.id
           and s.at > :at - ${MIN_SAMPLE_GAP_MS} and s.at < :at + ${MIN_SAMPLE_GAP_MS}
       ) returning crawl, (select count(*) from crawl_samples s where s.crawl = crawl_samples.crawl) as kept`,
    )
    this.#thin = db.prepare(
      `delete from crawl_samples where crawl = :crawl and at in (
         select at from (select at, row_number() over (order by at) as n from crawl_samples where crawl = :crawl)
         where n % 2 = 0 and n <= ${MAX_SAMPLES / 2}
       )`,
    )
    this.#of = db.prepare(
      `select ${COLUMNS} from crawl_samples where crawl = (select id from crawls where uuid = ?) order by at`,
    )
  }

  async add(crawlId: string, { at, pagesPerSecond, bytesPerSecond, inFlight, states }: HistorySample): Promise<void> {
    this.#transactions.run(() => {
      const row = this.#insert.get({
        crawl: crawlId,
        at,
        pages: pagesPerSecond,
        bytes: bytesPerSecond,
        inFlight,
        states: JSON.stringify(states),
      })
      if (row !== undefined && Number(row['kept']) >= MAX_SAMPLES) this.#thin.run({ crawl: Number(row['crawl']) })
    })
  }

  async list(crawlId: string): Promise<HistorySample[]> {
    return this.#of.all(crawlId).map(toHistorySample)
  }
}
