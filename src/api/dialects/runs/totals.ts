// How many urls of a run have each status. Counters tell all but how the redirects divide; those are counted, and the
// count is kept for a moment.

import { Cached } from '../../../lib/cached.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Browse } from '../../../ports/browse.ts'
import type { CrawlProgress } from '../../../ports/crawls.ts'
import { walkRows } from './order.ts'
import { type OtherRedirects, type RunTotals, readerOf, totalsOf } from './states.ts'

export interface TotalsParts {
  browse: Pick<Browse, 'urls'>
  clock: Clock
}

const PIECE = 10_000

export class Totals {
  readonly #browse: Pick<Browse, 'urls'>
  readonly #redirects: Cached<OtherRedirects>

  constructor({ browse, clock }: TotalsParts) {
    this.#browse = browse
    this.#redirects = new Cached(() => clock.now())
  }

  async of(progress: CrawlProgress): Promise<RunTotals> {
    const { crawl, ledger } = progress
    if (ledger.redirected === 0) return totalsOf(progress, { outOfScope: 0, moved: 0 })
    // What was counted while it ran is not the end.
    const key = `${crawl.id} ${crawl.status}`
    return totalsOf(progress, await this.#redirects.get(key, () => this.#count(progress)))
  }

  async #count({ crawl }: CrawlProgress): Promise<OtherRedirects> {
    const read = readerOf(crawl)
    const counts = { outOfScope: 0, moved: 0 }
    const wanted = { crawlId: crawl.id, states: ['redirected' as const], count: PIECE }
    for await (const row of walkRows(this.#browse, wanted, 'found', false)) {
      const { status } = read(row)
      if (status === 'REDIRECT_OUT_OF_SCOPE') counts.outOfScope += 1
      if (status === 'REDIRECT_301') counts.moved += 1
    }
    return counts
  }
}
