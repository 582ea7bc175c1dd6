// Crawls and their progress, read from their counters, never by counting rows.

import { emptyLedger, TERMINAL_STATES, UNFINISHED_STATUSES_SQL } from '../../lib/states.ts'
import type { Crawl, CrawlListQuery, CrawlProgress } from '../../ports/crawls.ts'
import type { CrawlReader } from '../../ports/store.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import { type Connections, type Queryable, type Row, toPostgresText } from '../postgres/query.ts'
import { readInSnapshot } from '../postgres/snapshot.ts'
import { crawlNotFoundError, requireOneCrawl, storedStatusesFor, toCrawl, withEffectiveStatus } from './crawl-row.ts'
import { REASON_SQL } from './reason-sql.ts'

const COUNTED = [...TERMINAL_STATES, 'open', 'in_progress', 'sitemaps', 'requisites', 'bytes', 'late_reports'] as const

/** Sums of bigint are numeric; these fit into a bigint. */
const SUMS = COUNTED.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ')

const NEXT_VISIT_AT = `case when c.status in ${UNFINISHED_STATUSES_SQL} then
  (select v.due_at from revisits v where v.crawl = c.id and v.due_at is not null order by v.due_at limit 1) end`

const PROGRESS = `select c.*, n.*, r.rejected, ${NEXT_VISIT_AT} as next_visit_at from crawls c
  cross join lateral (select ${SUMS} from counters where crawl = c.id) n
  cross join lateral (select json_object_agg(reason, count) as rejected from
    (select reason, sum(count) as count from rejections where crawl = c.id group by reason) s) r`

/** A crawl that is being removed is invisible to readers. */
const IS_NOT_REMOVED = `closing is distinct from '${REMOVING}'`

const LIST = {
  name: 'crawls_list',
  text: `${PROGRESS} where ${IS_NOT_REMOVED} and c.status = any($1)
    and ($2 = '' or starts_with(c.uuid, $2)
      or exists (select 1 from json_array_elements_text(c.seeds::json) s(url) where strpos(lower(s.url), $2) > 0))
    and ($3::text is null or coalesce(c.id < (select o.id from crawls o where o.uuid = $3), c.created_at < $4))
    order by c.id desc limit $5`,
}

export class PostgresCrawlReader implements CrawlReader {
  readonly #db: Connections
  readonly #hasLiveProcess: () => Promise<boolean>

  /**
   * `hasLiveProcess`: whether a process is working on the database, so that a crawl marked as running may really be running.
   */
  constructor(db: Connections, hasLiveProcess: () => Promise<boolean>) {
    this.#db = db
    this.#hasLiveProcess = hasLiveProcess
  }

  async find(idOrPrefix: string): Promise<Crawl> {
    const text = `select * from crawls where starts_with(uuid, $1) and ${IS_NOT_REMOVED} order by uuid limit 2`
    const { rows } = await this.#db.query({ text, values: [idOrPrefix] })
    return toCrawl(requireOneCrawl(idOrPrefix, rows))
  }

  async list({ status, text = '', olderThan, limit }: CrawlListQuery = {}): Promise<CrawlProgress[]> {
    const hasLiveProcess = await this.#hasLiveProcess()
    const before = [olderThan?.id ?? null, olderThan?.createdAt ?? null]
    const values = [storedStatusesFor(status, hasLiveProcess), toPostgresText(text), ...before, limit ?? null]
    const { rows } = await this.#db.query({ ...LIST, values })
    return rows.map((row) => toProgress(row, hasLiveProcess))
  }

  async progress(uuid: string): Promise<CrawlProgress> {
    const { rows } = await this.#db.query({
      name: 'progress',
      text: `${PROGRESS} where c.uuid = $1 and ${IS_NOT_REMOVED}`,
      values: [uuid],
    })
    const [row] = rows
    if (row === undefined) throw crawlNotFoundError(uuid)
    return toProgress(row, await this.#hasLiveProcess())
  }

  async reasons(uuid: string): Promise<Record<string, number>> {
    const rows = await readInSnapshot(this.#db, {
      text: `select ${REASON_SQL} as reason, count(*) as n from urls u where u.crawl = $1 and u.reason is not null
             group by 1 order by n desc, 1`,
      values: [await crawlRowId(this.#db, uuid)],
    })
    return Object.fromEntries(rows.map((row) => [String(row['reason']), Number(row['n'])]))
  }
}

export async function crawlRowId(db: Queryable, uuid: string): Promise<number> {
  const statement = { name: 'crawl_row_id', text: 'select id from crawls where uuid = $1', values: [uuid] }
  const [row] = (await db.query(statement)).rows
  if (row === undefined) throw crawlNotFoundError(uuid)
  return Number(row['id'])
}

function toProgress(row: Row, hasLiveProcess: boolean): CrawlProgress {
  const ledger = emptyLedger()
  for (const state of TERMINAL_STATES) ledger[state] = Number(row[state])
  ledger.in_progress = Number(row['in_progress'])
  ledger.queued = Number(row['open']) - ledger.in_progress
  return {
    crawl: withEffectiveStatus(toCrawl(row), hasLiveProcess),
    ledger,
    sitemaps: Number(row['sitemaps']),
    requisites: Number(row['requisites']),
    bytes: Number(row['bytes']),
    rejected: (row['rejected'] as Record<string, number> | null) ?? {},
    lateReports: Number(row['late_reports']),
    nextVisitAt: row['next_visit_at'] === null ? null : Number(row['next_visit_at']),
  }
}
