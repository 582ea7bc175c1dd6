// Whether any process works on the crawls of a database. Each process holds a shared lock on its own connection,
// which the server releases when the process dies. The connection of a live process may break too, and all
// connections do when the server restarts: to be sure that no process is active, recent activity is checked as well.

import { ADVISORY_LOCKS, STORE_LOCKS } from './advisory-locks.ts'
import { isProcessGone } from './process-identity.ts'
import type { Queryable } from './query.ts'

const PRESENCE_LOCK = [ADVISORY_LOCKS.store, STORE_LOCKS.atWork]
/** Heartbeats come every second. */
const RECENT_MS = 15_000

export async function holdPresenceLock(connection: Queryable): Promise<void> {
  await connection.query({ text: 'select pg_advisory_lock_shared($1, $2)', values: PRESENCE_LOCK })
}

export async function isStoreInUse(db: Queryable): Promise<boolean> {
  return (await countOpenProcesses(db)) > 0
}

/** Reads the list of locks, since taking the lock would look like activity to others. */
async function countOpenProcesses(db: Queryable): Promise<number> {
  const { rows } = await db.query({
    text: `select count(*) as n from pg_locks where locktype = 'advisory' and classid = $1::bigint::oid and objid = $2::bigint::oid
             and objsubid = 2 and granted and database = (select oid from pg_database where datname = current_database())`,
    values: PRESENCE_LOCK,
  })
  return Number(rows[0]?.['n'])
}

/** Keeps all other processes out, if none is active. */
export async function tryExclusiveLock(connection: Queryable): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, $2) as is_alone'
  const [row] = (await connection.query({ text, values: PRESENCE_LOCK })).rows
  return row?.['is_alone'] === true
}

/** Processes with unexpired leases, and workers with a recent heartbeat. */
const RECENT_PROCESSES = {
  text: `with t as materialized (select now_ms($1) as now)
    select seen.process, p.machine, p.pid from (
      select w.process from workers w, t where w.state in ('working', 'draining') and w.seen_at > t.now - ${RECENT_MS}
      union
      select split_part(l.worker, '/', 1)::bigint from leases l, t where l.expires_at > t.now
    ) seen left join processes p on p.number = seen.process`,
}

/** Numbers of processes that are not known to be gone. `virtualNow` is the argument of now_ms(). */
export async function listPossiblyActive(db: Queryable, virtualNow: number | null): Promise<number[]> {
  const { rows } = await db.query({ ...RECENT_PROCESSES, values: [virtualNow] })
  return rows
    .filter(({ machine, pid }) => !(typeof machine === 'string' && isProcessGone({ machine, pid: Number(pid) })))
    .map((row) => Number(row['process']))
}

/** No other process has the store open, or may come back to it. */
export async function isOnlyProcess(db: Queryable, own: number, virtualNow: number | null): Promise<boolean> {
  if ((await countOpenProcesses(db)) > 1) return false
  return (await listPossiblyActive(db, virtualNow)).every((process) => process === own)
}
