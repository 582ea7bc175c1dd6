// A data directory as the source of a transfer: locked and read-only.

import type { DatabaseSync } from 'node:sqlite'
import { type TransferRow, type TransferSource, type TransferTable, transferColumns } from '../../ports/transfer.ts'
import { decodeEntries } from '../pages/sqlite-near-duplicates.ts'
import { lockDirectory } from '../sqlite/directory-lock.ts'
import { openForReading, storeError } from '../sqlite/open.ts'
import { batchRows } from './batch-rows.ts'
import { SHARED_TABLE_QUERIES, type TableQuery } from './table-queries.ts'

const WITH_URL = 'left join urls u on u.id = t.url_id'
/** Crawl and host, which the rows of a URL do not repeat here. */
const OF_URL = { crawl: 'u.crawl', host: 'u.host' }

/** Missing tables have no rows here, or rows of another form. */
const TABLE_QUERIES: Partial<Record<TransferTable, TableQuery>> = {
  ...SHARED_TABLE_QUERIES,
  counters: { from: 'crawls t', columns: { crawl: 't.id' }, order: 't.id' },
  hosts: { from: 'hosts t', order: 't.id' },
  urls: { from: 'urls t', order: 't.id' },
  visits: { from: `visits t ${WITH_URL}`, columns: OF_URL, order: 't.url_id, t.attempt' },
  links: { from: `links t ${WITH_URL}`, columns: OF_URL, order: 't.url_id' },
  beyond: { from: `beyond t ${WITH_URL}`, columns: { host: 'u.host' }, order: 't.url_id' },
  held_urls: { from: `held_urls t ${WITH_URL}`, columns: { host: 'u.host' }, order: 't.crawl, t.pattern, t.key' },
  trial_visits: { from: `trial_visits t ${WITH_URL}`, columns: { host: 'u.host' }, order: 't.url_id' },
  ancestry: { from: `ancestry t ${WITH_URL}`, columns: { crawl: 'u.crawl' }, order: 't.url_id' },
  // If a raised depth limit was admitting URLs, the other store continues from this list.
  detours: {
    from: `beyond t join urls u on u.id = t.url_id join crawls c on c.id = t.crawl and c.is_deepening = 1`,
    columns: { host: 'u.host', targets: 'null' },
    order: 't.url_id',
  },
  listings: { from: `listings t ${WITH_URL}`, columns: OF_URL, order: 't.url_id' },
  script_urls: { from: `script_urls t ${WITH_URL}`, columns: OF_URL, order: 't.url_id' },
  revisits: { from: `revisits t ${WITH_URL}`, columns: { host: 'u.host' }, order: 't.url_id' },
  changes: { from: `changes t ${WITH_URL}`, columns: { host: 'u.host' }, order: 't.id' },
  patterns: { from: 'patterns t', order: 't.crawl, t.pattern' },
  rejections: { from: 'rejections t', order: 't.crawl, t.reason' },
  host_requests: { from: 'host_requests t', order: 't.crawl, t.host' },
  contents: {
    from: `contents t ${WITH_URL}`,
    columns: { crawl: 'coalesce(u.crawl, 0)', host: 'coalesce(u.host, 0)' },
    order: 't.id',
  },
  pages: {
    from: `pages t ${WITH_URL} left join contents k on k.id = t.content`,
    columns: { ...OF_URL, content: 'k.digest' },
    order: 't.id',
  },
  page_ids: {
    from: '(select max(last, coalesce((select max(id) from pages), 0)) as last from page_ids) t',
    order: '1',
  },
}

/** Pages with their record or payload in one of these segments. */
const PAGES_IN = `with wanted as (select s.id from segments s join json_each(?) j on j.value = s.name)
  select count(*) as n from pages p left join contents k on k.id = p.content
  where p.segment in (select id from wanted) or k.segment in (select id from wanted)`

export async function openSource(dir: string): Promise<TransferSource> {
  const { db, close } = openForReading(dir)
  try {
    const directoryLock = lockDirectory(dir)
    return new SqliteSource(dir, db, () => {
      close()
      directoryLock.release()
    })
  } catch (error) {
    close()
    throw storeError(error, dir)
  }
}

class SqliteSource implements TransferSource {
  readonly place: string
  readonly #db: DatabaseSync
  readonly #close: () => void

  constructor(dir: string, db: DatabaseSync, close: () => void) {
    this.place = dir
    this.#db = db
    this.#close = close
  }

  read(table: TransferTable): AsyncGenerator<TransferRow[]> {
    return batchRows(readRows(this.#db, table))
  }

  async segments(): Promise<string[]> {
    const rows = this.#db.prepare('select name from segments where is_forgotten = 0 order by id').all()
    return rows.map((row) => String(row['name']))
  }

  async countPagesIn(segments: string[]): Promise<number> {
    return Number(this.#db.prepare(PAGES_IN).get(JSON.stringify(segments))?.['n'])
  }

  async close(): Promise<void> {
    this.#close()
  }
}

export function* readRows(db: DatabaseSync, table: TransferTable): Generator<TransferRow> {
  if (table === 'fingerprints') return yield* readFingerprints(db)
  const reading = TABLE_QUERIES[table]
  if (reading === undefined) return
  const columns = transferColumns(table).map(([name, kind]) => {
    const place = reading.columns?.[name] ?? `t."${name}"`
    return `${kind === 'wide' ? `cast(${place} as text)` : place} as "${name}"`
  })
  const select = db.prepare(`select ${columns.join(', ')} from ${reading.from} order by ${reading.order}`)
  yield* select.iterate() as Iterable<TransferRow>
}

function* readFingerprints(db: DatabaseSync): Generator<TransferRow> {
  for (const row of db.prepare('select quarter, entries from fingerprints order by quarter').iterate()) {
    for (const { fingerprint, page } of decodeEntries(row['entries'] as Uint8Array)) {
      yield { quarter: Number(row['quarter']), fingerprint: String(fingerprint), page }
    }
  }
}
