// Changes with a heading before the first one of each day.

import type { Change } from '../../text/changes.ts'
import { startOfDay } from '../../text/format.ts'

export type TimelineRow =
  /** `count` is null for the last day, since more of its changes may follow. */
  | { kind: 'day'; day: Date; count: number | null }
  /** `index` is the position among the changes. */
  | { kind: 'change'; change: Change; index: number }

/**
 * Changes are in the order of publication, newest first, which may differ a little from the order of visits. A change
 * that was seen a day later than the previous one stays below the existing heading.
 */
export function toTimeline(changes: readonly Change[], hasMore: boolean): TimelineRow[] {
  const rows: TimelineRow[] = []
  let heading: Extract<TimelineRow, { kind: 'day' }> | null = null
  for (const [index, change] of changes.entries()) {
    const day = startOfDay(new Date(change.at))
    if (heading === null || day < heading.day) {
      heading = { kind: 'day', day, count: 0 }
      rows.push(heading)
    }
    heading.count = (heading.count ?? 0) + 1
    rows.push({ kind: 'change', change, index })
  }
  if (heading !== null && hasMore) heading.count = null
  return rows
}
