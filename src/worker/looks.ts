// Looks ten times a second at what the loops of this thread are busy with.

import { performance } from 'node:perf_hooks'
import type { CrawlLoop } from '../engine/crawl/loop.ts'
import { queueAt } from '../engine/crawl/phases.ts'

const LOOK_MS = 100

/** Until the function returned is called. Keeps no process alive. */
export function startLooks(loops: () => CrawlLoop[]): () => void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    lookAt(loops(), queueAt(utilization))
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** The answers that wait for the thread are those of its crawls, in proportion to their requests. */
function lookAt(loops: CrawlLoop[], queue: number): void {
  const inFlight = loops.reduce((sum, loop) => sum + loop.inFlight, 0)
  const unread = Math.min(queue, inFlight)
  for (const loop of loops) loop.look(inFlight === 0 ? 0 : unread * (loop.inFlight / inFlight))
}
