// How long a piece of work keeps a thread from everything else.

import { threadCpuMs } from '../../testing/cpu-time.ts'

/** Processor time of the longest turn of the event loop while `run` goes on: waiting for a busy machine is no block. */
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

/**
 * What one look at every character of so long a page costs here and now: the machine may be slow, and processors that are
 * shared are slower.
 */
export function measureOnePassMs(length: number): number {
  const codes = new Uint16Array(length).fill(120)
  // The first time it is not compiled yet.
  return Math.min(walkMs(codes), walkMs(codes), walkMs(codes))
}

function walkMs(codes: Uint16Array): number {
  const start = threadCpuMs()
  let others = 0
  for (let i = 0; i < codes.length; i++) if (codes[i] !== 120) others += 1
  return others + threadCpuMs() - start
}
