import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { AppError } from '../../lib/errors.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { ledgerTotal } from '../../lib/states.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { readCursor, writeCursor } from '../requests/cursor.ts'
import { type CrawlComparison, compareCrawls, type UrlDifference } from '../views/compare-crawls.ts'

/** A comparison needs about 300 bytes per URL, and more per difference. */
const MAX_URLS = 250_000
const MAX_CACHED = 2

export interface CompareDependencies extends Pick<ApiDependencies, 'urls' | 'pages' | 'clock'> {
  crawls: Pick<ApiDependencies['crawls'], 'progress'>
}

export function compareHandlers({ crawls, urls, pages, clock }: CompareDependencies): HandlersFor<'compareCrawls'> {
  // Pages of a comparison come from the same list while it is cached.
  const comparisons = new AdaptiveCache<CrawlComparison>(() => clock.now(), { maxEntries: MAX_CACHED })
  // Several large comparisons at the same time would not fit into memory.
  const runSerially = createSerialQueue()
  return {
    async compareCrawls({ query }) {
      const both = [await crawls.progress(query.a), await crawls.progress(query.b)]
      const large = both.find(({ ledger }) => ledgerTotal(ledger) > MAX_URLS)
      if (large !== undefined) {
        const detail = `Crawl ${large.crawl.id} has more than ${MAX_URLS} URLs. Export both crawls and use: orbweaver compare <a.jsonl> <b.jsonl>`
        throw new AppError('TOO_LARGE', detail)
      }
      const { differences, ...counts } = await comparisons.get(`${query.a} ${query.b}`, () =>
        runSerially(() => compareCrawls(query.a, query.b, urls)),
      )
      const [after = ''] = query.cursor === undefined ? [] : readCursor(query.cursor, ['string'])
      const rest = after === '' ? differences : differences.filter(({ url }) => url > String(after))
      const shown = rest.slice(0, query.limit)
      const end = shown.at(-1)
      const next = rest.length > shown.length && end !== undefined ? writeCursor(end.url) : null
      const items: (UrlDifference & { before_page_id: number | null; after_page_id: number | null })[] = []
      for (const difference of shown) {
        const versions = await pages.history(difference.url)
        const lastIn = (crawlId: string) => versions.findLast((version) => version.crawlId === crawlId)?.id ?? null
        items.push({ ...difference, before_page_id: lastIn(query.a), after_page_id: lastIn(query.b) })
      }
      return { items, next_cursor: next, total: differences.length, ...counts }
    },
  }
}
