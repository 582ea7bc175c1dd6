// Shows the progress of a crawl until it ends: a live view on a terminal, lines in a pipe, or events with --json.

import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { Io } from '../io.ts'
import type { CrawlSnapshot, View } from '../live/crawl-snapshot.ts'
import { progressEvent, summaryEvent } from '../live/json-events.ts'
import { openLiveView } from '../live/live-view.ts'
import { openPlainView } from '../live/plain-view.ts'
import { type SummaryFindings, summaryLines } from '../live/summary.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'

const LIVE_FRAME_MS = 100
const PLAIN_LINE_MS = 5000
const JSON_EVENT_MS = 1000

export interface CrawlView {
  everyMs: number
  draw(snapshot: CrawlSnapshot): void
  finish(snapshot: CrawlSnapshot, findings: SummaryFindings): void
  close(): void
}

export function openCrawlView(config: Config, io: Io): CrawlView {
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
    finish: (snapshot, findings) =>
      print(summaryEvent(snapshot, config.depth, { ...findings, program: io.program, location: config })),
    close: () => undefined,
  }
}

/** Calls `refresh` repeatedly, never concurrently, until the returned function is called. */
export function startRefreshing(everyMs: number, refresh: () => Promise<void>): () => Promise<void> {
  let isStopped = false
  let wake: () => void = () => undefined
  const loop = async () => {
    while (!isStopped) {
      await refresh()
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
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
