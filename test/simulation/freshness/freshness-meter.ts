// Importance-weighted freshness (share of the time that our copy equals the page) and mean age (time since the first
// change that we have not seen, 0 while fresh) within a window of time.

export interface Freshness {
  freshness: number
  ageMs: number
  visitsPerDay: number
  /** The longest time between two observations of a page. */
  longestGapMs: number
}

export interface FreshnessMeter {
  /** Adds the time from one observation to the next, or to the end: our copy was stale from `staleAt` on. */
  add(interval: { importance: number; from: number; staleAt: number; to: number }): void
  result(): Freshness
}

export function freshnessMeter({ start, end, pages }: { start: number; end: number; pages: number }): FreshnessMeter {
  let freshMs = 0
  let ageMsSquared = 0
  let visits = 0
  let longestGapMs = 0
  return {
    add({ importance, from, staleAt, to }) {
      longestGapMs = Math.max(longestGapMs, Math.min(to, end) - from)
      if (to >= start && to < end) visits += 1
      if (to <= start || from >= end) return
      freshMs += importance * Math.max(0, Math.min(staleAt, to, end) - Math.max(from, start))
      const ageAtStart = Math.max(0, Math.max(start, from) - staleAt)
      const ageAtEnd = Math.max(0, Math.min(to, end) - staleAt)
      ageMsSquared += (importance * (ageAtEnd ** 2 - ageAtStart ** 2)) / 2
    },
    result: () => ({
      freshness: freshMs / (end - start) / pages,
      ageMs: ageMsSquared / (end - start) / pages,
      visitsPerDay: (visits / (end - start)) * 86_400_000,
      longestGapMs,
    }),
  }
}
