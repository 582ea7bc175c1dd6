// Looks ten times a second at what the loops of this thread are busy with.

import { performance } from 'node:perf_hooks'
import type { CrawlLoop } from '../../engine/crawl/loop/crawl-loop.ts'
import { queueLengthAt } from '../../engine/crawl/watch/phase-recorder.ts'

const SAMPLE_INTERVAL_MS = 100

/** Until the function returned is called. Keeps no process alive. */
export function startPhaseSampler(loops: () => CrawlLoop[]): () => void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    sampleLoops(loops(), queueLengthAt(utilization))
  }, SAMPLE_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** The answers that wait for the thread are those of its crawls, in proportion to their requests. */
function sampleLoops(loops: CrawlLoop[], queue: number): void {
  const inFlight = loops.reduce((sum, loop) => sum + loop.inFlight, 0)
  const unread = Math.min(queue, inFlight)
  for (const loop of loops) loop.samplePhases(inFlight === 0 ? 0 : unread * (loop.inFlight / inFlight))
}
