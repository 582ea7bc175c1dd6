// Measures how long work blocks a thread.

import { threadCpuMs } from '../../testing/cpu-time.ts'

/** CPU time of the longest event loop turn during `run`. Waiting for a CPU does not count. */
export async function measureLongestBlockMs(run: () => unknown): Promise<number> {
  const watch = { longestMs: 0, last: threadCpuMs(), isOver: false }
  const turn = () => {
    const now = threadCpuMs()
    watch.longestMs = Math.max(watch.longestMs, now - watch.last)
    watch.last = now
    if (!watch.isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  await new Promise(setImmediate)
  watch.isOver = true
  return watch.longestMs
}

/** CPU time of one pass over a page of this length, here and now: machines differ, and shared CPUs are slower. */
export function measureOnePassMs(length: number): number {
  const codes = new Uint16Array(length).fill(120)
  // The first pass is not compiled yet.
  return Math.min(walkMs(codes), walkMs(codes), walkMs(codes))
}

function walkMs(codes: Uint16Array): number {
  const start = threadCpuMs()
  let others = 0
  for (let i = 0; i < codes.length; i++) if (codes[i] !== 120) others += 1
  return others + threadCpuMs() - start
}
