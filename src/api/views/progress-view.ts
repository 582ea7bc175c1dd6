// Builds the JSON of a crawl from its counters, its rates and the reports of its workers.

import type { z } from 'zod'
import { maskedSettings } from '../../config/crawl-settings.ts'
import { nextRuns } from '../../config/scheduled-times.ts'
import { estimateRemainingMs } from '../../engine/crawl/stats/estimate-remaining.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import { roundToTenth } from '../../lib/round-to-tenth.ts'
import { doneCount, isActive, ledgerTotal, pageCount } from '../../lib/states.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { CrawlFigures, WorkerRow, Workers } from '../../ports/workers.ts'
import type { CrawlRates } from '../background/crawl-rates.ts'
import type { Crawl as CrawlSchema, CrawlProgress as ProgressSchema } from '../contract/crawls.ts'
import { findBottleneck, mergeSilentHosts } from './bottleneck.ts'

export type ProgressJson = z.output<typeof ProgressSchema>
export type CrawlJson = z.output<typeof CrawlSchema>

export interface ProgressViewDependencies {
  /**
   * Why the crawls of this process are on hold, if no other process works on the store. More current than the last
   * heartbeats.
   */
  localHoldReason: () => string | null
  workers: Pick<Workers, 'list'>
  rates: CrawlRates
  clock: Clock
}

/** The heartbeat interval of workers. */
const FRESH_MS = 1_000

export class ProgressView {
  readonly #dependencies: ProgressViewDependencies
  #workers: Promise<WorkerRow[]> | null = null
  #readAt = 0

  constructor(dependencies: ProgressViewDependencies) {
    this.#dependencies = dependencies
  }

  async progressJson(progress: CrawlProgress): Promise<ProgressJson> {
    const { crawl, ledger, sitemaps, requisites, bytes } = progress
    const { figures, held } = await this.readActivity(progress)
    const { pagesPerSecond, bytesPerSecond, overMs } = this.#dependencies.rates.rateOf(progress)
    const { maxPages, maxDepth } = crawl.settings
    const pace = {
      status: crawl.status,
      ledger,
      sitemaps,
      requisites,
      maxPages,
      elapsedMs: overMs,
      pagesPerSecond,
      held,
    }
    const leftMs = estimateRemainingMs({ ...pace, draining: crawl.reason !== null })
    const { cause, explanation, setting } = findBottleneck(crawl.status, { figures, held })
    return {
      crawl_id: crawl.id,
      status: crawl.status,
      total: ledgerTotal(ledger),
      completed: doneCount(ledger) - ledger.failed,
      pending: ledger.queued,
      in_progress: ledger.in_progress,
      failed: ledger.failed,
      root_url: crawl.rootUrl,
      requested_depth: maxDepth,
      max_pages: maxPages,
      reason: crawl.reason,
      states: ledger,
      pages: pageCount(progress),
      sitemaps,
      requisites,
      bytes,
      pages_per_second: roundToTenth(pagesPerSecond),
      bytes_per_second: Math.round(bytesPerSecond),
      in_flight: figures.reduce((sum, { inFlight }) => sum + inFlight, 0),
      eta_seconds: leftMs === null ? null : Math.round(leftMs / 1000),
      active_ms: Math.round(crawl.activeMs),
      created_at: isoTime(crawl.createdAt),
      finished_at: isoTimeOrNull(crawl.finishedAt),
      next_visit_at: isoTimeOrNull(progress.nextVisitAt),
      held,
      silent_hosts: mergeSilentHosts(figures),
      bottleneck: cause === null ? null : { cause, explanation, setting },
    }
  }

  async crawlJson(progress: CrawlProgress): Promise<CrawlJson> {
    const { crawl, rejected, lateReports } = progress
    return {
      ...(await this.progressJson(progress)),
      next_runs: nextRuns(crawl.settings, this.#dependencies.clock.now()).map(isoTime),
      seeds: crawl.seeds,
      settings: maskedSettings(crawl.settings),
      rejected,
      late_reports: lateReports,
    }
  }

  /** Reports of active workers about a crawl. `held` is set if all workers of the crawl are on hold. */
  async readActivity({ crawl }: CrawlProgress): Promise<{ figures: CrawlFigures[]; held: string | null }> {
    if (!isActive(crawl.status)) return { figures: [], held: null }
    const activeWorkers = await this.#activeWorkers()
    const rows = activeWorkers.filter(({ figures }) => figures.crawls.some((reported) => reported.crawlId === crawl.id))
    const figures = rows.flatMap((row) => row.figures.crawls.filter((reported) => reported.crawlId === crawl.id))
    const areAllOnHold = rows.length > 0 && rows.every((row) => row.figures.held !== null)
    const held = areAllOnHold ? (rows[0]?.figures.held ?? null) : null
    if (!activeWorkers.some(({ state }) => state === 'working')) return { figures, held: 'no_worker' }
    return { figures, held: this.#dependencies.localHoldReason() ?? held }
  }

  async #activeWorkers(): Promise<WorkerRow[]> {
    const now = this.#dependencies.clock.now()
    if (this.#workers === null || now - this.#readAt >= FRESH_MS || now < this.#readAt) {
      this.#readAt = now
      this.#workers = this.#dependencies.workers.list()
      this.#workers.catch(() => {
        this.#workers = null
      })
    }
    return (await this.#workers).filter(({ state }) => state === 'working' || state === 'draining')
  }
}
