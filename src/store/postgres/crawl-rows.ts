// What seldom changes about a crawl, kept in memory once asked for. Its version tells whether it has changed since.

import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { MAX_REDIRECTS } from '../../ports/frontier.ts'
import { parseSettings } from '../rows/settings.ts'
import type { Queryable, Row } from './query.ts'

export interface CrawlRow {
  id: number
  uuid: string
  settings: CrawlSettings
  /** Counts the changes. */
  version: number
  /** Ids of hosts that it leaves alone. */
  blocked: ReadonlySet<number>
}

const COLUMNS = `c.id, c.uuid, c.settings, c.version,
  array(select b.host from blocked_hosts b where b.crawl = c.id) as blocked`
const FIND = { name: 'crawl_rows_find', text: `select ${COLUMNS} from crawls c where c.uuid = $1` }
const READ = { name: 'crawl_rows_read', text: `select ${COLUMNS} from crawls c where c.id = $1` }

export class CrawlRows {
  readonly #db: Queryable
  readonly #known = new Map<string, CrawlRow>()

  constructor(db: Queryable) {
    this.#db = db
  }

  async get(uuid: string): Promise<CrawlRow> {
    const known = this.#known.get(uuid)
    if (known !== undefined) return known
    const [row] = (await this.#db.query({ ...FIND, values: [uuid] })).rows
    if (row === undefined) throw crawlNotFound(uuid)
    const crawl = toCrawlRow(row)
    this.#known.set(uuid, crawl)
    return crawl
  }

  /** As it is now; what was known of it is out of date. */
  reload(uuid: string): Promise<CrawlRow> {
    this.#known.delete(uuid)
    return this.get(uuid)
  }
}

/** As it stands at this moment of a transaction. */
export async function readCrawl(tx: Queryable, { id, uuid }: Pick<CrawlRow, 'id' | 'uuid'>): Promise<CrawlRow> {
  const [row] = (await tx.query({ ...READ, values: [id] })).rows
  if (row === undefined) throw crawlNotFound(uuid)
  return toCrawlRow(row)
}

export function crawlNotFound(uuid: string): AppError {
  return new AppError('CRAWL_NOT_FOUND', `There is no crawl ${uuid}.`)
}

function toCrawlRow(row: Row): CrawlRow {
  return {
    id: Number(row['id']),
    uuid: String(row['uuid']),
    settings: parseSettings(row['settings']),
    version: Number(row['version']),
    blocked: new Set(row['blocked'] as number[]),
  }
}

/** Beyond the depth limit, or at the end of too long a chain of redirects. */
export function isTooFar({ settings }: CrawlRow, way: { depth: number; hops: number }): boolean {
  return way.hops > MAX_REDIRECTS || (settings.maxDepth !== null && way.depth > settings.maxDepth)
}
