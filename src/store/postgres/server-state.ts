// What a server reports about itself: whether it is a standby, and the timeline of its data. A promoted standby
// starts a new timeline, so if two servers with the same origin accept writes, the one with the higher timeline is
// right.

import pg from 'pg'
import type { StoreServer } from '../../config/values/store-url.ts'
import type { Queryable } from './query.ts'
import { isUnavailable } from './store-errors.ts'

export interface ServerState {
  isStandby: boolean
  /** Transactions are read-only by default. */
  isReadOnly: boolean
  /** Commits wait for a standby before they are acknowledged. */
  isSynchronous: boolean
  /** How far the server's clock is ahead of this process. */
  clockAheadMs: number
  /** Null on a standby, and on systems without these functions. */
  timeline: { system: string; number: number } | null
}

const ROLE = {
  text: `select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') = 'on' as is_read_only,
      current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') not in ('off', 'local')
        as is_synchronous,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
}
const TIMELINE = {
  text: `select system_identifier::text as system, case when pg_is_in_recovery() then null
      else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline
    from pg_control_system()`,
}

export async function readServerState(db: Queryable): Promise<ServerState> {
  const [role, timeline] = await Promise.allSettled([db.query(ROLE), db.query(TIMELINE)])
  if (role.status === 'rejected') throw role.reason
  const [found] = role.value.rows
  const state = {
    isStandby: found?.['is_standby'] === true,
    isReadOnly: found?.['is_read_only'] === true,
    isSynchronous: found?.['is_synchronous'] === true,
    clockAheadMs: Number(found?.['now']) - Date.now(),
  }
  if (timeline.status === 'rejected') {
    if (isUnavailable(timeline.reason)) throw timeline.reason
    return { ...state, timeline: null }
  }
  const [row] = timeline.value.rows
  const number = row?.['timeline']
  return { ...state, timeline: typeof number === 'number' ? { system: String(row?.['system']), number } : null }
}

/** Opens its own connection; null if the server does not respond in time. */
export async function probeServer({ url }: StoreServer, timeoutMs: number): Promise<ServerState | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'orbweaver probe',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    pipeline: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await readServerState(client)
  } catch {
    return null
  } finally {
    client.connection.stream.destroy()
  }
}
