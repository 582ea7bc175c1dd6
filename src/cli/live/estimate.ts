import type { LiveSnapshot } from './snapshot.ts'
import { pageCount } from './states.ts'

const WARM_UP_MS = 3000
const SLOWEST_RATE = 0.05
const LONGEST_MS = 30 * 86_400_000

/** Rough time to the end at the recent rate, or null while a guess would only mislead. */
export function estimateLeftMs(snapshot: LiveSnapshot): number | null {
  const { ledger, maxPages, pagesPerSecond } = snapshot
  if (snapshot.status !== 'running' || snapshot.draining || snapshot.held !== null) return null
  if (snapshot.elapsedMs < WARM_UP_MS || !(pagesPerSecond >= SLOWEST_RATE)) return null
  const open = ledger.queued + ledger.in_progress
  const left = maxPages === null ? open : Math.min(open, maxPages - pageCount(snapshot))
  if (left <= 0) return null
  const ms = (left / pagesPerSecond) * 1000
  return ms <= LONGEST_MS ? ms : null
}
