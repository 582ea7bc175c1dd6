// URL rows with their leases. On SQLite a URL in flight is still stored as queued: its lease is in the memory of the
// process that crawls.

import type { Crawls, UrlInFlight } from '../../ports/crawls.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import { readRowsById } from '../read-rows.ts'

export interface RunRow extends UrlRow {
  leasedAt: number | null
}

export class RowsInFlight {
  readonly #byId: ReadonlyMap<number, UrlInFlight>

  constructor(urlsInFlight: readonly UrlInFlight[]) {
    this.#byId = new Map(urlsInFlight.map((url) => [url.urlId, url]))
  }

  static async read(crawls: Pick<Crawls, 'urlsInFlight'>, crawlId: string): Promise<RowsInFlight> {
    return new RowsInFlight(await crawls.urlsInFlight(crawlId))
  }

  /** The row with its lease. A URL that has ended since the leases were read has none. */
  addLease(row: UrlRow): RunRow {
    const isOpen = row.state === 'queued' || row.state === 'in_progress'
    const lease = isOpen ? this.#byId.get(row.id) : undefined
    if (lease === undefined) return { ...row, leasedAt: null }
    return { ...row, state: 'in_progress', leasedBy: lease.threadId, leasedAt: lease.leasedAt }
  }

  async list(urls: Pick<Urls, 'rows'>, crawlId: string): Promise<RunRow[]> {
    const rows = await Array.fromAsync(readRowsById(urls, crawlId, [...this.#byId.keys()]))
    return rows.map((row) => this.addLease(row)).filter(({ state }) => state === 'in_progress')
  }
}
