// How a process joins the store and leaves it. The leases of another process are requeued at once only if it is known
// to be gone (process-identity.ts): the presence lock is also released by processes whose connection broke, and those
// have requests in flight. All other leases expire.

import { isRecentSql, nextAtAfterRestartSql } from '../../frontier/next-request.ts'
import { requeueHolders } from '../frontier/postgres/requeue-leases.ts'
import { assertNoUnfinishedMove } from '../transfer/postgres-move-mark.ts'
import type { Database } from './database.ts'
import { holdPresenceLock, isOnlyProcess } from './presence.ts'
import { isProcessGone, ownIdentity } from './process-identity.ts'
import type { Queryable } from './query.ts'
import type { StoreClock } from './store-clock.ts'

/** Runs if this is the only process. The health of hosts is reset: they may have recovered. */
const RESET_HOSTS = {
  text: `update hosts h set next_at = ${nextAtAfterRestartSql('$1::bigint')},
      failures = 0, failing_since = 0, down_until = 0, failure_share = 0, refusing_since = 0, kept_until = 0
    where ${isRecentSql('$1::bigint')} or failures <> 0 or failure_share <> 0 or down_until <> 0 or kept_until > $1::bigint`,
}

const REGISTER = {
  text: 'insert into processes (number, machine, pid, started_at) values ($1, $2, $3, $4) on conflict (number) do nothing',
}
const LOCAL_PROCESSES = { text: 'select number, machine, pid from processes where machine = $1 and number <> $2' }
const UNREGISTER = { text: 'delete from processes where number = any($1::bigint[])' }

export interface StoreMembership {
  db: Database
  time: StoreClock
  /** The number of this process. */
  processNumber: number
  /** The holder whose counter row requeued URLs are counted in: this process, without a thread (`17/`). */
  holder: string
}

/** Takes the presence lock on this connection. */
export async function joinStore(
  connection: Queryable,
  { db, time, processNumber, holder }: StoreMembership,
): Promise<void> {
  await holdPresenceLock(connection)
  // The connection may have waited for the lock during a transfer that was interrupted.
  await assertNoUnfinishedMove(connection)
  const now = await time.now(connection)
  const { machine, pid } = ownIdentity()
  await connection.query({ ...REGISTER, values: [processNumber, machine, pid, now] })
  const { rows } = await connection.query({ ...LOCAL_PROCESSES, values: [machine, processNumber] })
  const gone = rows
    .filter((row) => isProcessGone({ machine, pid: Number(row['pid']) }))
    .map((row) => Number(row['number']))
  for (const number of gone) await requeueProcessLeases(db, number, { holder, now })
  if (await isOnlyProcess(connection, processNumber, time.virtualNow))
    await connection.query({ ...RESET_HOSTS, values: [now] })
  await connection.query({ ...UNREGISTER, values: [gone] })
}

/** Called when nothing of this process is running any more. */
export async function leaveStore({ db, time, processNumber, holder }: StoreMembership): Promise<void> {
  await requeueProcessLeases(db, processNumber, { holder, now: await time.now(db.pool) })
  await db.pool.query({ ...UNREGISTER, values: [[processNumber]] })
}

async function requeueProcessLeases(
  db: Database,
  processNumber: number,
  by: { holder: string; now: number },
): Promise<void> {
  await db.transaction((tx) => requeueHolders(tx, `${processNumber}/`, by))
}
