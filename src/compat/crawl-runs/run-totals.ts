// Counts the URLs of a run by status. The ledger has all counts except the kinds of redirects, which are counted from the
// rows and cached for a moment.

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
    // The status is part of the key, because counts of a running crawl are not final.
    const key = `${crawl.id} ${crawl.status}`
    return toRunTotals(progress, await this.#redirects.get(key, () => this.#countRedirects(progress)))
  }

  async #countRedirects({ crawl }: CrawlProgress): Promise<RedirectCounts> {
    const mapState = createStateMapper(crawl)
    const counts = { outOfScope: 0, moved: 0 }
    const request = { crawlId: crawl.id, states: ['redirected' as const], count: BATCH_ROWS }
    for await (const row of readAllRows(this.#browse, request, 'found', false)) {
      const { status } = mapState(row)
      if (status === 'REDIRECT_OUT_OF_SCOPE') counts.outOfScope += 1
      if (status === 'REDIRECT_301') counts.moved += 1
    }
    return counts
  }
}
