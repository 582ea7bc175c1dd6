// A process that opens the store and finds nobody at work: whoever worked before is gone, and with it went its leases
// and perhaps the report of its last requests.

import type { Database } from './database.ts'
import { announce, tryAlone } from './presence.ts'
import type { Queryable } from './query.ts'
import { takeBackAll } from './take-back.ts'
import { refuseMoving } from './transfer-mark.ts'

const RECENT_MS = 60_000
const MAX_PAUSE_MS = 86_400_000

/**
 * A host asked lately waits at least one more gap (G5); that it was silent is forgotten, for it may be well by now. No
 * pause is longer than a day.
 */
const HOSTS_AGAIN = {
  text: `update hosts set
      next_at = case when next_at > $1::bigint - gap_ms - ${RECENT_MS}
        then greatest(least(next_at, $1::bigint + ${MAX_PAUSE_MS}), $1::bigint + gap_ms) else next_at end,
      failures = 0, failing_since = 0, down_until = 0, kept_until = 0
    where next_at > $1::bigint - gap_ms - ${RECENT_MS} or failures <> 0 or down_until <> 0 or kept_until > $1::bigint`,
}

export interface Restart {
  db: Database
  worker: string
  /** The argument of now_ms(). */
  given: number | null
}

/** Shows on this connection that the process is at work, after clearing up if it is the only one. */
export async function joinWork(connection: Queryable, { db, worker, given }: Restart): Promise<void> {
  const letGo = await tryAlone(connection)
  if (letGo !== null) {
    const [row] = (await connection.query({ text: 'select now_ms($1) as now', values: [given] })).rows
    const now = Number(row?.['now'])
    await takeBackAll(db, { worker, now })
    await connection.query({ ...HOSTS_AGAIN, values: [now] })
  }
  await announce(connection)
  await letGo?.()
  // It may have waited here for a move that was cut off.
  await refuseMoving(connection)
}
