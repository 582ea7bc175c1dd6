// What never changes about a crawl, kept in memory once asked for.

import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { MAX_REDIRECTS } from '../../ports/frontier.ts'
import type { Queryable } from './query.ts'

export interface CrawlRow {
  id: number
  uuid: string
  settings: CrawlSettings
}

const FIND = { name: 'crawl_rows_find', text: 'select id, settings from crawls where uuid = $1' }

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
    if (row === undefined) throw new AppError('CRAWL_NOT_FOUND', `There is no crawl ${uuid}.`)
    const crawl = { id: Number(row['id']), uuid, settings: JSON.parse(String(row['settings'])) as CrawlSettings }
    this.#known.set(uuid, crawl)
    return crawl
  }
}

/** Beyond the depth limit, or at the end of too long a chain of redirects. */
export function isTooFar({ settings }: CrawlRow, way: { depth: number; hops: number }): boolean {
  return way.hops > MAX_REDIRECTS || (settings.maxDepth !== null && way.depth > settings.maxDepth)
}
