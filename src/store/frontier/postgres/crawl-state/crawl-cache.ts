// Caches what rarely changes about a crawl. Its version shows whether it has changed.

import { parseCrawlSettings } from '../../../../config/crawl-settings.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import { crawlNotFoundError } from '../../../crawls/crawl-row.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'

export interface CachedCrawl {
  id: number
  uuid: string
  settings: CrawlSettings
  /** Incremented with every change. */
  version: number
  /** Ids of blocked hosts. */
  blockedHosts: ReadonlySet<number>
}

const COLUMNS = `c.id, c.uuid, c.settings, c.version,
  array(select b.host from blocked_hosts b where b.crawl = c.id) as blocked`
const FIND = { name: 'crawl_rows_find', text: `select ${COLUMNS} from crawls c where c.uuid = $1` }
const READ = { name: 'crawl_rows_read', text: `select ${COLUMNS} from crawls c where c.id = $1` }

export class CrawlCache {
  readonly #db: Queryable
  readonly #known = new Map<string, CachedCrawl>()

  constructor(db: Queryable) {
    this.#db = db
  }

  async get(uuid: string): Promise<CachedCrawl> {
    const known = this.#known.get(uuid)
    if (known !== undefined) return known
    const [row] = (await this.#db.query({ ...FIND, values: [uuid] })).rows
    if (row === undefined) throw crawlNotFoundError(uuid)
    const crawl = toCachedCrawl(row)
    this.#known.set(uuid, crawl)
    return crawl
  }

  /** Discards the cached value and reads it again. */
  reload(uuid: string): Promise<CachedCrawl> {
    this.#known.delete(uuid)
    return this.get(uuid)
  }
}

/** Reads the crawl as of this point in a transaction. */
export async function readCrawl(tx: Queryable, { id, uuid }: Pick<CachedCrawl, 'id' | 'uuid'>): Promise<CachedCrawl> {
  const [row] = (await tx.query({ ...READ, values: [id] })).rows
  if (row === undefined) throw crawlNotFoundError(uuid)
  return toCachedCrawl(row)
}

function toCachedCrawl(row: Row): CachedCrawl {
  return {
    id: Number(row['id']),
    uuid: String(row['uuid']),
    settings: parseCrawlSettings(String(row['settings'])),
    version: Number(row['version']),
    blockedHosts: new Set(row['blocked'] as number[]),
  }
}
