// How a process comes to the store and leaves it. What another one held comes back at once only where that is known to be
// gone (home.ts): the lock that shows who is at work is let go also by those whose connection broke, and they have
// requests under way. All other leases lapse.

import type { Database } from './database.ts'
import { isGone, ownHome } from './home.ts'
import { announce, isAlone } from './presence.ts'
import type { Queryable } from './query.ts'
import { takeBackProcess } from './take-back.ts'
import type { Time } from './time.ts'
import { refuseMoving } from './transfer-mark.ts'

const RECENT_MS = 60_000
const MAX_PAUSE_MS = 86_400_000

/**
 * When nobody else is at work. A host asked lately waits at least one more gap (G5); that it was silent is forgotten, for
 * it may be well by now. No pause is longer than a day.
 */
const FRESH_HOSTS = {
  text: `update hosts set
      next_at = case when next_at > $1::bigint - gap_ms - ${RECENT_MS}
        then greatest(least(next_at, $1::bigint + ${MAX_PAUSE_MS}), $1::bigint + gap_ms) else next_at end,
      failures = 0, failing_since = 0, down_until = 0, failure_share = 0, refusing_since = 0, kept_until = 0
    where next_at > $1::bigint - gap_ms - ${RECENT_MS} or failures <> 0 or failure_share <> 0 or down_until <> 0 or kept_until > $1::bigint`,
}

const REGISTER = {
  text: 'insert into processes (number, machine, pid, started_at) values ($1, $2, $3, $4) on conflict (number) do nothing',
}
const NEIGHBOURS = { text: 'select number, machine, pid from processes where machine = $1 and number <> $2' }
const FORGET = { text: 'delete from processes where number = any($1::bigint[])' }

export interface Presence {
  db: Database
  time: Time
  /** The number of this process. */
  process: number
  /** In whose row of the counters urls are counted that come back. */
  worker: string
}

/** Shows on this connection that the process is at work. */
export async function joinWork(connection: Queryable, { db, time, process, worker }: Presence): Promise<void> {
  await announce(connection)
  // It may have waited here for a move that was cut off.
  await refuseMoving(connection)
  const now = await time.now(connection)
  const { machine, pid } = ownHome()
  await connection.query({ ...REGISTER, values: [process, machine, pid, now] })
  const { rows } = await connection.query({ ...NEIGHBOURS, values: [machine, process] })
  const gone = rows.filter((row) => isGone({ machine, pid: Number(row['pid']) })).map((row) => Number(row['number']))
  for (const number of gone) await giveBack(db, number, { worker, now })
  if (await isAlone(connection, process, time.given)) await connection.query({ ...FRESH_HOSTS, values: [now] })
  await connection.query({ ...FORGET, values: [gone] })
}

/** Nothing of this process is under way any more. */
export async function leaveWork({ db, time, process, worker }: Presence): Promise<void> {
  await giveBack(db, process, { worker, now: await time.now(db.pool) })
  await db.pool.query({ ...FORGET, values: [[process]] })
}

async function giveBack(db: Database, process: number, by: { worker: string; now: number }): Promise<void> {
  await db.transaction((tx) => takeBackProcess(tx, `${process}/`, by))
}
