// Runs a crawl in the foreground: shows it, stops it on Ctrl-C, tells how it ended.

import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { EXIT } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { pageCount } from '../../ports/state.ts'
import { excludedPatterns } from '../excluded-patterns.ts'
import type { CrawlHandleStats, CrawlSession, Io } from '../io.ts'
import { progressEvent, summaryEvent } from '../live/json-events.ts'
import type { LiveSnapshot, View } from '../live/live-snapshot.ts'
import { openLiveView } from '../live/live-view.ts'
import { openPlainView } from '../live/plain-view.ts'
import { type SummaryOptions, summaryLines } from '../live/summary.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { ActiveTime } from './active-time.ts'
import { checkReached } from './check-reached.ts'
import { RecentRate } from './recent-rate.ts'

const LIVE_FRAME_MS = 100
const PLAIN_LINE_MS = 5000
const JSON_EVENT_MS = 1000

/** Returns the exit code. */
export async function watchCrawl(crawl: Crawl, crawlSession: CrawlSession, config: Config, io: Io): Promise<number> {
  const rate = new RecentRate()
  const time = new ActiveTime(crawl, crawlSession)
  const crawlHandle = await crawlSession.startCrawl(crawl)
  let draining = false
  const forgetInterrupt = io.onInterrupt(() => {
    draining = true
    crawlHandle.stop()
  })
  const look = () => readSnapshot(crawlSession, crawl, crawlHandle.stats(), { activeMs: time.totalMs, draining, rate })
  const view = openCrawlView(config, io)
  const stopShowing = startRefreshing(view.everyMs, async () => {
    view.draw(await look())
    await time.saveIfDue()
  })
  try {
    await crawlHandle.run()
    await stopShowing()
    // It may have been paused or ended elsewhere, and this process was told; or paused and resumed meanwhile.
    const { crawl: current } = await crawlSession.crawls.progress(crawl.id)
    const isGoingOn = current.status === 'running'
    const isLeft = isGoingOn && (await crawlSession.hasOtherWorkers(crawl.id))
    if (isGoingOn && !isLeft) await crawlSession.crawls.setPaused(crawl.id, true)
    await time.save()
    const last = await look()
    const reasons = await crawlSession.crawls.reasons(crawl.id)
    const brokenSitemaps = await crawlSession.diagnostics.brokenSitemaps(crawl.id)
    const traps = excludedPatterns(await crawlSession.diagnostics.patterns(crawl.id))
    view.finish(last, { reasons, brokenSitemaps, traps })
    if (isLeft) io.stderr.write('This process has stopped; the workers of the store go on with the crawl.\n')
    if (isLeft || last.status === 'paused') return EXIT.interrupted
    checkReached(last.ledger, reasons)
    return EXIT.completed
  } finally {
    await stopShowing()
    view.close()
    forgetInterrupt()
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
): Promise<LiveSnapshot> {
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
  }
}

/** Calls `show` again and again, never twice at a time, until the returned function is called. */
function startRefreshing(everyMs: number, show: () => Promise<void>): () => Promise<void> {
  let isOver = false
  let wake: () => void = () => undefined
  const loop = async () => {
    while (!isOver) {
      await show()
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, everyMs).unref()
      })
    }
  }
  const done = loop()
  // A failure is told by the function returned, whenever that is called.
  done.catch(() => undefined)
  return () => {
    isOver = true
    wake()
    return done
  }
}

type SummaryFindings = Pick<SummaryOptions, 'reasons' | 'brokenSitemaps' | 'traps'>

interface CrawlView {
  everyMs: number
  draw(snapshot: LiveSnapshot): void
  finish(snapshot: LiveSnapshot, found: SummaryFindings): void
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
    finish: (snapshot, found) =>
      view.close(
        summaryLines(snapshot, { color: terminalCapabilities.color, location: config, program: io.program, ...found }),
      ),
    close: () => view.close([]),
  }
}

function openJsonView(config: Config, io: Io): CrawlView {
  const print = (event: object) => io.stdout.write(jsonLine(event))
  return {
    everyMs: JSON_EVENT_MS,
    draw: (snapshot) => print(progressEvent(snapshot)),
    finish: (snapshot, { traps }) => print(summaryEvent(snapshot, config.depth, traps)),
    close: () => undefined,
  }
}
