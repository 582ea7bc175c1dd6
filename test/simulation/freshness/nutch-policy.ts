// The adaptive schedule of Apache Nutch with its default settings, from its documentation: the interval shrinks by 20% if
// the page changed and grows by 40% if not. It then moves towards the time of the last change.

import type { RevisitPolicy } from './simulate-policy.ts'

const GROW = 0.4
const SHRINK = 0.2
const SYNC = 0.3

export function nutchPolicy(
  pages: number,
  { startMs, minMs, maxMs }: { startMs: number; minMs: number; maxMs: number },
): RevisitPolicy {
  const intervals = new Float64Array(pages).fill(startMs)
  const changedAt = new Float64Array(pages)
  return {
    firstDue: (_page, now) => now + startMs,
    dueAfterObservation(page, { now, isChanged }) {
      let interval = (intervals[page] ?? 0) * (isChanged ? 1 - SHRINK : 1 + GROW)
      if (isChanged) changedAt[page] = now
      const sinceChange = now - (changedAt[page] ?? 0)
      interval = Math.min(maxMs, Math.max(minMs, interval, sinceChange))
      intervals[page] = interval
      return Math.max(now + minMs, now - sinceChange * SYNC + interval)
    },
    postponedTo: () => null,
    dueAfterSignal: () => null,
  }
}
