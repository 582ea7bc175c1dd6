// Runs a crawl in the foreground: shows its progress, stops it on Ctrl-C and prints a summary.

import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { EXIT } from '../../lib/errors.ts'
import { isActive, pageCount } from '../../lib/states.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { excludedPatterns } from '../excluded-patterns.ts'
import type { CrawlHandleStats, CrawlSession, Io } from '../io.ts'
import type { CrawlSnapshot, View } from '../live/crawl-snapshot.ts'
import { progressEvent, summaryEvent } from '../live/json-events.ts'
import { openLiveView } from '../live/live-view.ts'
import { openPlainView } from '../live/plain-view.ts'
import { type SummaryOptions, summaryLines } from '../live/summary.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { nextVisitInMs } from '../stored-snapshot.ts'
import { ActiveTime } from './active-time.ts'
import { checkReached } from './check-reached.ts'
import { RecentRate } from './recent-rate.ts'

const LIVE_FRAME_MS = 100
const PLAIN_LINE_MS = 5000
const JSON_EVENT_MS = 1000

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
  const removeHandler = io.onInterrupt(() => {
    draining = true
    crawlHandle.stop()
  })
  const read = () => readSnapshot(crawlSession, crawl, crawlHandle.stats(), { activeMs: time.totalMs, draining, rate })
  const view = openCrawlView(config, io)
  const stopRefreshing = startRefreshing(view.everyMs, async () => {
    const snapshot = await read()
    time.setWatching(snapshot.status === 'watching')
    view.draw(snapshot)
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
    if (continuesElsewhere || last.status === 'paused') return EXIT.interrupted
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
    bytes: progress.bytes,
    rejected: progress.rejected,
    maxPages: crawl.settings.maxPages,
    elapsedMs: snapshotContext.activeMs,
    pagesPerSecond: snapshotContext.rate.addSample(pageCount(progress), Date.now()),
    inFlight: stats.inFlight,
    hosts: stats.hosts,
    waits: stats.waits,
    held: stats.held,
    draining: snapshotContext.draining,
    nextVisitInMs: nextVisitInMs(progress.nextVisitAt),
  }
}

/** Calls `refresh` repeatedly, never concurrently, until the returned function is called. */
function startRefreshing(everyMs: number, refresh: () => Promise<void>): () => Promise<void> {
  let isStopped = false
  let wake: () => void = () => undefined
  const loop = async () => {
    while (!isStopped) {
      await refresh()
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, everyMs).unref()
      })
    }
  }
  const done = loop()
  // The returned function rejects with the failure, whenever it is called.
  done.catch(() => undefined)
  return () => {
    isStopped = true
    wake()
    return done
  }
}

type SummaryFindings = Pick<SummaryOptions, 'reasons' | 'brokenSitemaps' | 'traps'>

interface CrawlView {
  everyMs: number
  draw(snapshot: CrawlSnapshot): void
  finish(snapshot: CrawlSnapshot, findings: SummaryFindings): void
  close(): void
}

function openCrawlView(config: Config, io: Io): CrawlView {
  if (config.json) return openJsonView(config, io)
  if (config.quiet)
    return { everyMs: JSON_EVENT_MS, draw: () => undefined, finish: () => undefined, close: () => undefined }
  const terminalCapabilities = detectCapabilities(io.stdout, io.env)
  const view: View = terminalCapabilities.live
    ? openLiveView(io.stdout, { ...terminalCapabilities, now: Date.now, minFrameMs: LIVE_FRAME_MS })
    : openPlainView(io.stdout, { now: Date.now, everyMs: PLAIN_LINE_MS })
  return {
    everyMs: terminalCapabilities.live ? LIVE_FRAME_MS : PLAIN_LINE_MS / 10,
    draw: (snapshot) => view.draw(snapshot),
    finish: (snapshot, findings) =>
      view.close(
        summaryLines(snapshot, {
          color: terminalCapabilities.color,
          location: config,
          program: io.program,
          ...findings,
        }),
      ),
    close: () => view.close([]),
  }
}

function openJsonView(config: Config, io: Io): CrawlView {
  const print = (event: object) => io.stdout.write(jsonLine(event))
  return {
    everyMs: JSON_EVENT_MS,
    draw: (snapshot) => print(progressEvent(snapshot)),
    finish: (snapshot, findings) => print(summaryEvent(snapshot, config.depth, findings)),
    close: () => undefined,
  }
}
