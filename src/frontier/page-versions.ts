// When a page version expires, and whether it differs from the version before.

import type { CrawlSettings } from '../ports/crawls.ts'

const DAY_MS = 86_400_000

/** Null: the version never expires. */
export function versionExpiresAt({ keepDays }: CrawlSettings, visitedAt: number): number | null {
  return keepDays === null ? null : visitedAt + keepDays * DAY_MS
}

/** `before` is the content hash of the version before; null if it is not known, which is not a change. */
export function isContentChanged(before: Uint8Array | null, hashHex: string): boolean {
  return before !== null && Buffer.from(before).toString('hex') !== hashHex
}

/** Both arguments are SQL expressions of type bytea. */
export function isContentChangedSql(before: string, hash: string): string {
  return `coalesce(${before} <> ${hash}, false)`
}

/**
 * A version stays as long as visits find the page unchanged: such a visit extends its time, at most four times in
 * `keepDays`. Null if this one does not.
 */
export function extendedExpiry(
  settings: CrawlSettings,
  { changedAt, visitedAt }: { changedAt: number; visitedAt: number },
  now: number,
): number | null {
  const { keepDays } = settings
  if (keepDays === null) return null
  const quarterOf = (at: number) => Math.floor((4 * (at - changedAt)) / (keepDays * DAY_MS))
  return quarterOf(now) > quarterOf(visitedAt) ? versionExpiresAt(settings, now) : null
}

/** Whether the version of a page that was last found unchanged at `visitedAt` has not expired. */
export function isVersionKept({ archive, keepDays }: CrawlSettings, visitedAt: number, now: number): boolean {
  return archive === 'none' || keepDays === null || now - visitedAt < 0.75 * keepDays * DAY_MS
}
