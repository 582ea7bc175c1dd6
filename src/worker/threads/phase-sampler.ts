// Samples ten times a second what the crawl loops of this thread are doing.

import { performance } from 'node:perf_hooks'
import type { LoopMonitor } from '../../engine/crawl/loop/loop-monitor.ts'
import { queueLengthAt } from '../../engine/crawl/stats/phase-recorder.ts'

const SAMPLE_INTERVAL_MS = 100

/** Returns a function that stops the sampling. The timer does not keep the process alive. */
export function startPhaseSampler(loops: () => LoopMonitor[]): () => void {
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

/** Splits the responses that wait for the thread over its crawls, in proportion to their requests in flight. */
function sampleLoops(loops: LoopMonitor[], queueLength: number): void {
  const inFlight = loops.reduce((sum, loop) => sum + loop.inFlight, 0)
  const unread = Math.min(queueLength, inFlight)
  for (const loop of loops) loop.samplePhases(inFlight === 0 ? 0 : unread * (loop.inFlight / inFlight))
}
