// After a stop, pages that are not archived in time are dropped.

import type { Clock } from '../../../lib/clock.ts'

const MAX_ARCHIVE_WAIT_MS = 5_000
const CHECK_MS = 500

/** Calls `giveUp` when the loop waits for nothing but the archive after that time. The returned function cancels it. */
export function limitArchiveWait(clock: Clock, isWaiting: () => boolean, giveUp: () => void): () => void {
  let cancel = clock.after(MAX_ARCHIVE_WAIT_MS, check)
  function check() {
    if (isWaiting()) giveUp()
    else cancel = clock.after(CHECK_MS, check)
  }
  return () => cancel()
}
