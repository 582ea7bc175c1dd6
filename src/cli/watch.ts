// Runs a crawl in the foreground: shows it, stops it on Ctrl-C, tells how it ended.

import type { Config } from '../config/schema.ts'
import { jsonLine } from '../engine/export/jsonl.ts'
import { EXIT } from '../lib/errors.ts'
import type { Crawl } from '../ports/crawls.ts'
import { pageCount } from '../ports/state.ts'
import { ActiveTime } from './active-time.ts'
import type { CrewStats, Io, Workshop } from './io.ts'
import { streamAbility } from './live/ability.ts'
import { progressEvent, summaryEvent } from './live/json.ts'
import { openPlainView } from './live/plain.ts'
import type { LiveSnapshot, View } from './live/snapshot.ts'
import { type SummaryOptions, summaryLines } from './live/summary.ts'
import { openLiveView } from './live/terminal.ts'
import { checkReached } from './reached.ts'
import { RecentRate } from './recent-rate.ts'
import { excludedPatterns } from './traps.ts'

const LIVE_FRAME_MS = 100
const PLAIN_LINE_MS = 5000
const JSON_EVENT_MS = 1000

/** Returns the exit code. */
export async function watchCrawl(crawl: Crawl, workshop: Workshop, config: Config, io: Io): Promise<number> {
  const rate = new RecentRate()
  const time = new ActiveTime(crawl, workshop)
  const crew = await workshop.startCrew(crawl)
  let draining = false
  const forgetInterrupt = io.onInterrupt(() => {
    draining = true
    crew.stop()
  })
  const look = () => snapshotOf(workshop, crawl, crew.stats(), { activeMs: time.totalMs, draining, rate })
  const view = openView(config, io)
  const stopShowing = showWhile(view.everyMs, async () => {
    view.draw(await look())
    await time.saveNowAndThen()
  })
  try {
    await crew.run()
    await stopShowing()
    // It may have been paused or ended elsewhere, and this process was told; or paused and resumed meanwhile.
    const { crawl: current } = await workshop.crawls.progress(crawl.id)
    const isGoingOn = current.status === 'running'
    const isLeft = isGoingOn && (await workshop.hasOthersAtWork(crawl.id))
    if (isGoingOn && !isLeft) await workshop.crawls.setPaused(crawl.id, true)
    await time.save()
    const last = await look()
    const reasons = await workshop.crawls.reasons(crawl.id)
    const brokenSitemaps = await workshop.manners.brokenSitemaps(crawl.id)
    const traps = excludedPatterns(await workshop.manners.patterns(crawl.id))
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

interface Moment {
  activeMs: number
  draining: boolean
  rate: RecentRate
}

async function snapshotOf(workshop: Workshop, crawl: Crawl, stats: CrewStats, moment: Moment): Promise<LiveSnapshot> {
  const progress = await workshop.crawls.progress(crawl.id)
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
    elapsedMs: moment.activeMs,
    pagesPerSecond: moment.rate.after(pageCount(progress), Date.now()),
    inFlight: stats.inFlight,
    hosts: stats.hosts,
    waits: stats.waits,
    held: stats.held,
    draining: moment.draining,
  }
}

/** Calls `show` again and again, never twice at a time, until the returned function is called. */
function showWhile(everyMs: number, show: () => Promise<void>): () => Promise<void> {
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

type Findings = Pick<SummaryOptions, 'reasons' | 'brokenSitemaps' | 'traps'>

interface Showing {
  everyMs: number
  draw(snapshot: LiveSnapshot): void
  finish(snapshot: LiveSnapshot, found: Findings): void
  close(): void
}

function openView(config: Config, io: Io): Showing {
  if (config.json) return openJson(config, io)
  if (config.quiet)
    return { everyMs: JSON_EVENT_MS, draw: () => undefined, finish: () => undefined, close: () => undefined }
  const ability = streamAbility(io.stdout, io.env)
  const view: View = ability.live
    ? openLiveView(io.stdout, { ...ability, now: Date.now, minFrameMs: LIVE_FRAME_MS })
    : openPlainView(io.stdout, { now: Date.now, everyMs: PLAIN_LINE_MS })
  return {
    everyMs: ability.live ? LIVE_FRAME_MS : PLAIN_LINE_MS / 10,
    draw: (snapshot) => view.draw(snapshot),
    finish: (snapshot, found) =>
      view.close(summaryLines(snapshot, { color: ability.color, place: config, program: io.program, ...found })),
    close: () => view.close([]),
  }
}

function openJson(config: Config, io: Io): Showing {
  const print = (event: object) => io.stdout.write(jsonLine(event))
  return {
    everyMs: JSON_EVENT_MS,
    draw: (snapshot) => print(progressEvent(snapshot)),
    finish: (snapshot, { traps }) => print(summaryEvent(snapshot, config.depth, traps)),
    close: () => undefined,
  }
}
