import type { KnownContent } from '../../ports/pages.ts'

/** Maps the row of a payload with the URL of its record. */
export function toKnownPayload(row: Record<string, unknown> | undefined): Pick<KnownContent, 'sameAs' | 'isDamaged'> {
  if (row === undefined) return { sameAs: null, isDamaged: false }
  if (row['is_damaged']) return { sameAs: null, isDamaged: true }
  return { sameAs: { url: String(row['url']), fetchedAt: Number(row['fetched_at']) }, isDamaged: false }
}
