// Progress samples of crawls.

import { type CrawlHistory, type HistorySample, MAX_SAMPLES, MIN_SAMPLE_GAP_MS } from '../../ports/history.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Queryable } from '../postgres/query.ts'
import { toHistorySample } from './history-sample.ts'

const COLUMNS = 'at, pages_per_second, bytes_per_second, in_flight, states'

/** `kept` counts the earlier samples. */
const INSERT = {
  name: 'history_insert',
  text: `insert into crawl_samples (crawl, ${COLUMNS})
    select c.id, $2::bigint, $3::double precision, $4::double precision, $5::integer, $6::text from crawls c
    where c.uuid = $1 and c.closing is distinct from '${REMOVING}' and not exists (
      select 1 from crawl_samples s where s.crawl = c.id
        and s.at > $2::bigint - ${MIN_SAMPLE_GAP_MS} and s.at < $2::bigint + ${MIN_SAMPLE_GAP_MS}
    ) on conflict do nothing
    returning crawl, (select count(*) from crawl_samples s where s.crawl = crawl_samples.crawl) as kept`,
}

const THIN = {
  name: 'history_thin',
  text: `delete from crawl_samples where crawl = $1 and at in (
      select at from (select at, row_number() over (order by at) as n from crawl_samples where crawl = $1) s
      where n % 2 = 0 and n <= ${MAX_SAMPLES / 2}
    )`,
}

const OF = {
  name: 'history_of',
  text: `select ${COLUMNS} from crawl_samples where crawl = (select id from crawls where uuid = $1) order by at`,
}

export class PostgresHistory implements CrawlHistory {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async add(crawlId: string, { at, pagesPerSecond, bytesPerSecond, inFlight, states }: HistorySample): Promise<void> {
    const values = [crawlId, at, pagesPerSecond, bytesPerSecond, inFlight, JSON.stringify(states)]
    const [row] = (await this.#db.query({ ...INSERT, values })).rows
    if (row !== undefined && Number(row['kept']) + 1 >= MAX_SAMPLES) {
      await this.#db.query({ ...THIN, values: [row['crawl']] })
    }
  }

  async list(crawlId: string): Promise<HistorySample[]> {
    return (await this.#db.query({ ...OF, values: [crawlId] })).rows.map(toHistorySample)
  }
}
