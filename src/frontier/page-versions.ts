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
