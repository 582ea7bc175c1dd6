// Runs a crawl in the foreground: shows its progress, stops it on Ctrl-C and prints a summary.

import type { Config } from '../../config/schema.ts'
import { EXIT } from '../../lib/errors.ts'
import { isActive, pageCount } from '../../lib/states.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { excludedPatterns } from '../excluded-patterns.ts'
import type { CrawlHandleStats, CrawlSession, Io } from '../io.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'
import { nextVisitInMs } from '../stored-snapshot.ts'
import { ActiveTime } from './active-time.ts'
import { checkReached, waitsInVain } from './check-reached.ts'
import { openCrawlView, startRefreshing } from './crawl-view.ts'
import { RecentRate } from './recent-rate.ts'

/** Returns the exit code. */
export async function runForegroundCrawl(
  crawl: Crawl,
  crawlSession: CrawlSession,
  config: Config,
  io: Io,
): Promise<number> {
  const rate = new RecentRate()
  const time = new ActiveTime(crawl, crawlSession)
  const crawlHandle = await crawlSession.startCrawl(crawl)
  let draining = false
  let isInVain = false
  const removeHandler = io.onInterrupt(() => {
    draining = true
    crawlHandle.stop()
  })
  const read = () => readSnapshot(crawlSession, crawl, crawlHandle.stats(), { activeMs: time.totalMs, draining, rate })
  const view = openCrawlView(config, io)
  const stopRefreshing = startRefreshing(view.everyMs, async () => {
    const snapshot = await read()
    await time.setWatching(snapshot.status === 'watching')
    view.draw(snapshot)
    isInVain ||= await waitsInVain(snapshot, () => crawlSession.crawls.reasons(crawl.id))
    if (isInVain) crawlHandle.stop()
    await time.saveIfDue()
  })
  try {
    await crawlHandle.run()
    await stopRefreshing()
    // Another process may have paused or ended the crawl, or paused and resumed it.
    const { crawl: current } = await crawlSession.crawls.progress(crawl.id)
    const isRunning = isActive(current.status)
    const continuesElsewhere = isRunning && (await crawlSession.hasOtherWorkers(crawl.id))
    if (isRunning && !continuesElsewhere) await crawlSession.crawls.setPaused(crawl.id, true)
    await time.save()
    const last = await read()
    const reasons = await crawlSession.crawls.reasons(crawl.id)
    const brokenSitemaps = await crawlSession.diagnostics.brokenSitemaps(crawl.id)
    const traps = excludedPatterns(await crawlSession.diagnostics.patterns(crawl.id))
    view.finish(last, { reasons, brokenSitemaps, traps })
    if (continuesElsewhere) io.stderr.write('This process has stopped; other workers continue the crawl.\n')
    if (!isInVain && (continuesElsewhere || last.status === 'paused')) return EXIT.interrupted
    checkReached(last.ledger, reasons)
    return EXIT.completed
  } finally {
    await stopRefreshing()
    view.close()
    removeHandler()
  }
}

interface SnapshotContext {
  activeMs: number
  draining: boolean
  rate: RecentRate
}

async function readSnapshot(
  crawlSession: CrawlSession,
  crawl: Crawl,
  stats: CrawlHandleStats,
  snapshotContext: SnapshotContext,
): Promise<CrawlSnapshot> {
  const progress = await crawlSession.crawls.progress(crawl.id)
  return {
    crawlId: crawl.id,
    rootUrl: crawl.rootUrl,
    status: progress.crawl.status,
    reason: progress.crawl.reason,
    ledger: progress.ledger,
    sitemaps: progress.sitemaps,
    requisites: progress.requisites,
    bytes: progress.bytes,
    rejected: progress.rejected,
    maxPages: crawl.settings.maxPages,
    sitemapOnly: crawl.settings.sitemapOnly,
    elapsedMs: snapshotContext.activeMs,
    pagesPerSecond: snapshotContext.rate.addSample(pageCount(progress), Date.now()),
    inFlight: stats.inFlight,
    hosts: stats.hosts,
    waits: stats.waits,
    held: stats.held,
    draining: snapshotContext.draining,
    nextVisitInMs: nextVisitInMs(progress.nextVisitAt),
    runsElsewhere: false,
  }
}
