// Prints how far a long fill of an index is, so that an interrupted run says how far it got and at which rate.

import { formatCount } from '../../test/testing/table.ts'

const EVERY_MS = 15_000

/** The returned function is called after every batch, with the pages so far. */
export function reportFill(pages: number): (filled: number) => void {
  const startedAt = performance.now()
  let last = { at: startedAt, filled: 0 }
  return (filled) => {
    const now = performance.now()
    if (now - last.at < EVERY_MS) return
    const rate = (1000 * (filled - last.filled)) / (now - last.at)
    const seconds = Math.round((now - startedAt) / 1000)
    console.error(
      `${formatCount(filled)} of ${formatCount(pages)} pages after ${seconds} s, now ${formatCount(rate)}/s`,
    )
    last = { at: now, filled }
  }
}
