// How many urls of a run have each status. Counters tell all but how the redirects divide; those are counted, and the
// count is kept for a moment.

import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Browse } from '../../ports/browse.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { createStateMapper, type RedirectCounts, type RunTotals, toRunTotals } from './run-states.ts'
import { readAllRows } from './sorted-rows.ts'

export interface RunTotalsDependencies {
  browse: Pick<Browse, 'urls'>
  clock: Clock
}

const BATCH_ROWS = 10_000

export class RunTotalsReader {
  readonly #browse: Pick<Browse, 'urls'>
  readonly #redirects: AdaptiveCache<RedirectCounts>

  constructor({ browse, clock }: RunTotalsDependencies) {
    this.#browse = browse
    this.#redirects = new AdaptiveCache(() => clock.now())
  }

  async read(progress: CrawlProgress): Promise<RunTotals> {
    const { crawl, ledger } = progress
    if (ledger.redirected === 0) return toRunTotals(progress, { outOfScope: 0, moved: 0 })
    // What was counted while it ran is not the end.
    const key = `${crawl.id} ${crawl.status}`
    return toRunTotals(progress, await this.#redirects.get(key, () => this.#countRedirects(progress)))
  }

  async #countRedirects({ crawl }: CrawlProgress): Promise<RedirectCounts> {
    const read = createStateMapper(crawl)
    const counts = { outOfScope: 0, moved: 0 }
    const wanted = { crawlId: crawl.id, states: ['redirected' as const], count: BATCH_ROWS }
    for await (const row of readAllRows(this.#browse, wanted, 'found', false)) {
      const { status } = read(row)
      if (status === 'REDIRECT_OUT_OF_SCOPE') counts.outOfScope += 1
      if (status === 'REDIRECT_301') counts.moved += 1
    }
    return counts
  }
}
