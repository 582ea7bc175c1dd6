// When a page version expires, and whether it differs from the previous version.

import type { CrawlSettings } from '../ports/crawls.ts'

const DAY_MS = 86_400_000
/** A version that stays the same is extended when less than this part of `keepDays` is left. */
const EXTENDED_BELOW = 0.75
/** Maximum time between the request for a page and the commit of its visit. */
const VISIT_MS = 3_600_000

/** Null if the version never expires. */
export function versionExpiresAt({ keepDays }: Pick<CrawlSettings, 'keepDays'>, visitedAt: number): number | null {
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
 * When a version expires that a visit found unchanged. It stays as long as visits find the page unchanged: such a
 * visit extends its time, at most four times in `keepDays`. Null if it never expires, or nothing is archived.
 */
export function extendedExpiry(
  settings: Pick<CrawlSettings, 'keepDays'>,
  expiresAt: number | null,
  now: number,
): number | null {
  if (expiresAt === null) return null
  const { keepDays } = settings
  const isLongEnough = keepDays !== null && expiresAt - now >= EXTENDED_BELOW * keepDays * DAY_MS
  return isLongEnough ? expiresAt : versionExpiresAt(settings, now)
}

/** Whether an archived version will still exist when a visit that starts now ends. */
export function isVersionKept(expiresAt: number | null, now: number): boolean {
  return expiresAt === null || expiresAt > now + VISIT_MS
}
