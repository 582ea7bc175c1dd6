// A crawl of a store: its results, and its control.

import { checkResumable } from '../api/requests/check-unfinished.ts'
import { type CrawlComparison, compareCrawls } from '../api/views/compare-crawls.ts'
import { type CrawlChanges, withCrawlChanges } from '../cli/crawl-changes.ts'
import type { StoreReadClient } from '../cli/read-client/store-read-client.ts'
import type { Config } from '../config/schema.ts'
import type { ExportFormat } from '../config/values/export-formats.ts'
import { type CrawlStatus, type Ledger, pageCount, type RetriableState } from '../lib/states.ts'
import type { CrawlProgress } from '../ports/crawls.ts'
import { PATTERN_STATE, type PatternState } from '../ports/patterns.ts'
import type { FailedCheck } from '../ports/urls.ts'
import { openers } from '../setup/openers.ts'
import { type AuditOptions, type AuditReport, auditCrawl } from './audit.ts'
import { dateOrNull } from './date-or-null.ts'
import { explainUrl, type UrlExplanation } from './explain.ts'
import { exportCrawl } from './export.ts'
import { parseOption } from './options.ts'
import { type Page, toPage } from './page.ts'
import { withWorkers } from './with-workers.ts'

export interface CrawlCheck {
  /** True if the counts match a recount and all checks passed. */
  isSound: boolean
  urls: Ledger
  findings: FailedCheck[]
}

/** How a crawl treated a host. */
export interface HostReport {
  host: string
  requests: number
  /** Made by rendered pages; not in `requests`. */
  subrequests: number
  /** Maximum of recorded visits in flight at a time. */
  peak: number
  /** URLs excluded by robots.txt. */
  denied: number
  /** Smallest gap between the starts of two visits; null if there was only one. */
  smallestGapMs: number | null
  /** The gap last used. */
  gapMs: number
  /** Concurrency limit learned from refusals; null if the host has accepted as many requests as the crawl allows. */
  concurrencyLimit: number | null
  /** The crawl delay in robots.txt. */
  crawlDelayMs: number | null
  robots: string
  /** The patterns of the policies that apply to the host; null if none does. */
  policy: string | null
}

/** A URL pattern that may be a spider trap. */
export interface Trap {
  pattern: string
  state: 'proven' | 'on trial' | 'excluded' | 'released'
  /** URLs visited on trial, and how many of them had nothing new. */
  visits: number
  fruitless: number
  excludedUrls: number
  /** An example of the excluded URLs. */
  example: string | null
}

/** Facts are as of when the crawl was read; `store.crawl` reads it again. Changes take effect within two seconds. */
export interface StoredCrawl {
  crawlId: string
  startUrl: string
  status: CrawlStatus
  /** Why it stopped, unless it simply ran out of URLs. */
  reason: string | null
  startedAt: Date
  finishedAt: Date | null
  /** URLs by state. */
  urls: Ledger
  /** Visited URLs that are pages. */
  visitedPages: number
  bytes: number
  /** Links that were not followed, by reason. */
  rejected: Record<string, number>

  /** All archived pages. */
  pages(): AsyncIterable<Page>
  /** Why the crawl visited a URL or not. Also for URLs that it does not know. */
  explain(url: string): Promise<UrlExplanation>
  /** Exports the crawl in a format of `orbweaver export`. */
  export(format: ExportFormat): AsyncIterable<Buffer>
  /** Recounts the URLs and checks that none is lost or duplicated. */
  verify(): Promise<CrawlCheck>
  /** How politely each host was treated. */
  politeness(): AsyncIterable<HostReport>
  /** URL patterns excluded as spider traps, or on trial. */
  traps(): Promise<Trap[]>
  /** Compares with another crawl, given by its id or the start of it. Needs about 300 bytes of memory per URL. */
  compareWith(crawlId: string): Promise<CrawlComparison>
  /** Checks the site, and stores the result as the last audit of the crawl. */
  audit(options?: AuditOptions): Promise<AuditReport>

  /** Finishes the requests in flight; nothing else is requested until it is resumed. */
  pause(): Promise<void>
  /** Lets the workers of a server or a database continue. To continue in this process, use resumeCrawl. */
  resume(): Promise<void>
  /** Ends the crawl early. Queued URLs are excluded. */
  cancel(): Promise<void>
  /** Ends a crawl that visits its URLs again. */
  complete(): Promise<void>
  /** Queues URLs in a state again, by default failed ones, and returns how many. Then resume the crawl. Fails if a limit ended it. */
  retry(state?: RetriableState): Promise<number>
  /** Queues the URLs of a pattern that was excluded as a trap, and returns how many. Then resume the crawl. */
  releaseTrap(pattern: string): Promise<number>
  /** Deletes the crawl with its URLs, links and archived pages. It must not be running. */
  delete(): Promise<void>
}

const TRAP_STATES: Record<PatternState, Trap['state']> = {
  [PATTERN_STATE.proven]: 'proven',
  [PATTERN_STATE.suspected]: 'on trial',
  [PATTERN_STATE.excluded]: 'excluded',
  [PATTERN_STATE.released]: 'released',
}

export function toStoredCrawl(progress: CrawlProgress, config: Config, client: StoreReadClient): StoredCrawl {
  const { crawl, ledger, bytes, rejected } = progress
  const { id, finishedAt } = crawl
  const { session } = client
  const params = { crawl_id: id }
  const change = <T>(apply: (changes: CrawlChanges) => Promise<T>) => withCrawlChanges(config, openers, apply)
  return {
    crawlId: id,
    startUrl: crawl.rootUrl,
    status: crawl.status,
    reason: crawl.reason,
    startedAt: new Date(crawl.createdAt),
    finishedAt: dateOrNull(finishedAt),
    urls: ledger,
    visitedPages: pageCount(progress),
    bytes,
    rejected,
    async *pages() {
      for await (const version of session.pages.listByCrawl(id))
        if (!version.isRequisite) yield toPage(version, session)
    },
    explain: (url) => explainUrl(id, url, session),
    export: (format) => exportCrawl(id, parseOption('format', format), session, client.openIndex),
    async verify() {
      const { sound, ledger: urls, findings } = await client.verifyCrawl({ params })
      return { isSound: sound, urls, findings }
    },
    async *politeness() {
      for await (const row of client.listPoliteness(id)) {
        const { smallest_gap_ms: smallestGapMs, gap_ms: gapMs, ...rest } = row
        const { concurrency_limit: concurrencyLimit, crawl_delay_ms: crawlDelayMs, ...host } = rest
        yield { ...host, smallestGapMs, gapMs, concurrencyLimit, crawlDelayMs }
      }
    },
    async traps() {
      const rows = await session.diagnostics.patterns(id)
      return rows.map(({ state, ...row }) => ({ ...row, state: TRAP_STATES[state] }))
    },
    compareWith: async (crawlId) => compareCrawls(id, await client.findCrawlId(crawlId), session.urls),
    audit: (options) => auditCrawl(id, options, config),
    pause: () => change((changes) => changes.pause(id)),
    resume: () =>
      withWorkers(config, 'resumeCrawl', async (crawls) => {
        checkResumable(await crawls.find(id))
        await crawls.setPaused(id, false)
      }),
    cancel: () => change((changes) => changes.cancel(id)),
    complete: () => change((changes) => changes.complete(id)),
    retry: async (state) => {
      const wanted = parseOption('state', state) ?? 'failed'
      return change((changes) => changes.retry(id, wanted))
    },
    releaseTrap: (pattern) => change((changes) => changes.releasePattern(id, pattern)),
    delete: () => change((changes) => changes.remove(id)),
  }
}
