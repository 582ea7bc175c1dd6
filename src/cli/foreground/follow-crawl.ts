// Shows a crawl that another process runs until it ends. Ctrl-C ends the view, not the crawl.

import type { Config } from '../../config/schema.ts'
import { EXIT } from '../../lib/errors.ts'
import { isActive } from '../../lib/states.ts'
import type { CrawlSource } from '../crawl-source.ts'
import { formatCommand } from '../format/format-command.ts'
import type { Io } from '../io.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'
import { checkReached, waitsInVain } from './check-reached.ts'
import { openCrawlView, startRefreshing } from './crawl-view.ts'

/** A read of the store or a request to a server, so less often than a frame of the live view. */
const MIN_READ_MS = 500

/** Returns the exit code. */
export async function followCrawl(source: CrawlSource, config: Config, io: Io): Promise<number> {
  const over = Promise.withResolvers<void>()
  const removeHandler = io.onInterrupt(() => over.resolve())
  const view = openCrawlView(config, io)
  let isInVain = false
  const elapsed = new ElapsedTime()
  const stopRefreshing = startRefreshing(Math.max(view.everyMs, MIN_READ_MS), async () => {
    try {
      const snapshot = await source.snapshot()
      view.draw({ ...snapshot, elapsedMs: elapsed.add(snapshot, Date.now()) })
      isInVain = await waitsInVain(snapshot, async () => (await source.findings()).reasons)
      if (isInVain || !isActive(snapshot.status)) over.resolve()
    } catch (error) {
      over.reject(error)
    }
  })
  try {
    await over.promise
    await stopRefreshing()
    const last = await source.snapshot()
    const findings = await source.findings()
    view.finish(last, findings)
    if (isInVain) checkReached(last.ledger, findings.reasons)
    if (isActive(last.status)) {
      const pause = formatCommand(io.program, `pause ${last.crawlId.slice(0, 8)}`, config)
      io.stderr.write(`The crawl continues. Pause it with: ${pause}\n`)
    }
    if (isActive(last.status) || last.status === 'paused') return EXIT.interrupted
    checkReached(last.ledger, findings.reasons)
    return EXIT.completed
  } finally {
    await stopRefreshing()
    view.close()
    removeHandler()
  }
}

/** The running time of a crawl is saved every few seconds; between two of them, time passes here. */
class ElapsedTime {
  #savedMs = -1
  #savedAt = 0

  add({ status, elapsedMs }: CrawlSnapshot, now: number): number {
    if (elapsedMs !== this.#savedMs || status !== 'running') this.#savedAt = now
    this.#savedMs = elapsedMs
    return elapsedMs + now - this.#savedAt
  }
}
