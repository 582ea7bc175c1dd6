// Whether any process works on the crawls of a database: each that does holds this lock, shared, on a connection of its
// own, so that the server itself lets go of it when the process dies.

import type { Queryable } from './query.ts'

/** "Orbw"; the other half says what of it. */
const OURS = 0x4f726277
const AT_WORK = 1

export async function announce(connection: Queryable): Promise<void> {
  await connection.query({ text: 'select pg_advisory_lock_shared($1, $2)', values: [OURS, AT_WORK] })
}

export async function isAnyoneAtWork(db: Queryable): Promise<boolean> {
  return (await countAtWork(db)) > 0
}

/** A look at the list of locks, for taking the lock would show as work to others who look. */
export async function countAtWork(db: Queryable): Promise<number> {
  const { rows } = await db.query({
    text: `select count(*) as n from pg_locks where locktype = 'advisory' and classid = $1::bigint::oid and objid = $2::bigint::oid
             and objsubid = 2 and granted and database = (select oid from pg_database where datname = current_database())`,
    values: [OURS, AT_WORK],
  })
  return Number(rows[0]?.['n'])
}

/** Keeps everybody else out for a moment, if nobody is at work; answers how to let them in. */
export async function tryAlone(connection: Queryable): Promise<(() => Promise<void>) | null> {
  const values = [OURS, AT_WORK]
  const [row] = (await connection.query({ text: 'select pg_try_advisory_lock($1, $2) as is_alone', values })).rows
  if (row?.['is_alone'] !== true) return null
  return async () => {
    await connection.query({ text: 'select pg_advisory_unlock($1, $2)', values })
  }
}
