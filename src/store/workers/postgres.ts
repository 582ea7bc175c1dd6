// The registry of workers. Times are stored by the database clock and converted relative to now (store-clock.ts).

import { ACTIVE_STATUSES_SQL } from '../../lib/states.ts'
import {
  type ApiArchiveNode,
  type Backlog,
  type FleetHoldReason,
  HEARTBEAT_TIMEOUT_MS,
  type HeartbeatReply,
  type LostWorker,
  type WorkerHeartbeat,
  type WorkerRow,
  type Workers,
} from '../../ports/workers.ts'
import { toCrawl } from '../crawls/crawl-row.ts'
import { mergeCounters } from '../frontier/postgres/crawl-state/merge-counters.ts'
import { requeueHolders, requeueLost } from '../frontier/postgres/requeue-leases.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, toPostgresText } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { deleteGone } from './postgres-delete-gone.ts'
import { toWorkerRow } from './worker-row.ts'

export interface WorkersDependencies {
  /** Separate connections, so that heartbeats get through no matter what commits and leases wait for. */
  urgent: Database
  db: Database
  time: StoreClock
  /** Number of this process: the first part of every holder. */
  processNumber: number
  /** The holder whose counter row requeued URLs are counted in: this process, without a thread (`17/`). */
  holder: string
}

/** A heartbeat does not undo a requested drain, but it does undo `lost` and `left`. */
const HEARTBEAT = {
  name: 'workers_heartbeat',
  text: `insert into workers (id, process, name, version, started_at, seen_at, figures, state, address)
    select $1, $2::bigint, $3, $4, $5::bigint - ($8::bigint - now), now, $6, 'working', $9 from now_ms($7) as now
    on conflict (id) do update set process = excluded.process, seen_at = excluded.seen_at, figures = excluded.figures,
      address = excluded.address,
      note = case when workers.state = 'draining' then workers.note end,
      state = case when workers.state = 'draining' then 'draining' else 'working' end
    returning state`,
}
/** A killed worker may not be marked as lost yet. */
const COUNT_ACTIVE = {
  name: 'workers_at_work',
  text: `select count(*) as n from workers where state = 'working' and seen_at > now_ms($1) - ${HEARTBEAT_TIMEOUT_MS}`,
}
const HOLD_REASON = {
  name: 'workers_hold_reason',
  text: 'select reason from fleet_holds where until > now_ms($1) order by until limit 1',
}
const HOLD = {
  name: 'workers_hold',
  text: `insert into fleet_holds (reason, holder, until) values ($1, $2, now_ms($3) + $4::bigint)
    on conflict (reason, holder) do update set until = excluded.until`,
}
const RUNNING = {
  name: 'workers_running',
  text: `select * from crawls where status in ${ACTIVE_STATUSES_SQL} order by id`,
}
const LIST = {
  name: 'workers_list',
  text: `select w.*, w.started_at + n.ahead as started_at, w.seen_at + n.ahead as seen_at
    from workers w cross join (select $2::bigint - now_ms($1) as ahead) n order by w.started_at, w.id`,
}
const DRAIN = `update workers set state = 'draining', note = $2 where id = $1 and state = 'working'`
const LEAVE = `update workers set state = 'left' where id = $1 returning process`
const LOST = {
  name: 'workers_lost',
  text: `with silent as (
      select w.id, now - w.seen_at as silent_ms from workers w, now_ms($1) as now
      where w.state in ('working', 'draining') and w.seen_at <= now - $2::bigint
      order by w.id for update of w skip locked)
    update workers w set state = 'lost', note = 'no heartbeat for ' || round(s.silent_ms / 1000.0) || ' s'
    from silent s where w.id = s.id returning w.id, s.silent_ms`,
}
const MAX_COUNTED_HOSTS = 5000
const BACKLOG = {
  name: 'workers_backlog',
  text: `select count(*) as due_hosts from (
      select 1 from now_ms($1) as now cross join crawls c join queues q on q.crawl = c.id
      where c.status = 'running' and q.due_at <= now limit ${MAX_COUNTED_HOSTS}) due`,
}

const ANNOUNCE = {
  name: 'archive_nodes_announce',
  text: `insert into keepers (id, name, address, seen_at) values ($1, $2, $3, now_ms($4))
    on conflict (id) do update set address = excluded.address, seen_at = excluded.seen_at`,
}
const ARCHIVE_NODES = {
  name: 'archive_nodes_list',
  text: `select id, name, address from keepers where seen_at > now_ms($1) - ${HEARTBEAT_TIMEOUT_MS} order by id`,
}
const DELETE_ARCHIVE_NODES = 'delete from keepers where seen_at < now_ms($1) - $2::bigint'

export class PostgresWorkers implements Workers {
  readonly #dependencies: WorkersDependencies

  constructor(dependencies: WorkersDependencies) {
    this.#dependencies = dependencies
  }

  async heartbeat({ id, name, version, address, startedAt, figures }: WorkerHeartbeat): Promise<HeartbeatReply> {
    const { urgent, time, processNumber } = this.#dependencies
    const about = [id, processNumber, toPostgresText(name), version, startedAt, JSON.stringify(figures)]
    const values = [...about, time.virtualNow, time.workerNow(), address]
    return urgent.withRetries(async () => {
      const [row] = (await urgent.pool.query({ ...HEARTBEAT, values })).rows
      const [counted] = (await urgent.pool.query({ ...COUNT_ACTIVE, values: [time.virtualNow] })).rows
      const [held] = (await urgent.pool.query({ ...HOLD_REASON, values: [time.virtualNow] })).rows
      const { rows } = await urgent.pool.query(RUNNING)
      const workers = Math.max(1, Number(counted?.['n']))
      const hold = (held?.['reason'] ?? null) as FleetHoldReason | null
      return { mayWork: row?.['state'] === 'working', workers, hold, crawls: rows.map(toCrawl) }
    })
  }

  async leave(workerId: string): Promise<void> {
    const { urgent } = this.#dependencies
    await urgent.withRetries(() =>
      urgent.transaction(async (tx) => {
        const [row] = (await tx.query({ text: LEAVE, values: [workerId] })).rows
        if (row !== undefined) await this.#requeueWorker(tx, Number(row['process']), workerId)
      }),
    )
  }

  list(): Promise<WorkerRow[]> {
    const { db, time } = this.#dependencies
    return db.withRetries(() => listWorkers(db.pool, time))
  }

  async hold(reason: FleetHoldReason, holder: string, forMs: number): Promise<void> {
    const { urgent, time } = this.#dependencies
    await urgent.withRetries(() => urgent.pool.query({ ...HOLD, values: [reason, holder, time.virtualNow, forMs] }))
  }

  async announceArchiveNode({ id, name, address }: ApiArchiveNode): Promise<void> {
    const { db, time } = this.#dependencies
    await db.withRetries(() =>
      db.pool.query({ ...ANNOUNCE, values: [id, toPostgresText(name), address, time.virtualNow] }),
    )
  }

  listArchiveNodes(): Promise<ApiArchiveNode[]> {
    const { db, time } = this.#dependencies
    return db.withRetries(() => listArchiveNodes(db.pool, time))
  }

  async drain(workerId: string, why: string): Promise<void> {
    const { db } = this.#dependencies
    await db.withRetries(() => db.pool.query({ text: DRAIN, values: [workerId, toPostgresText(why)] }))
  }

  async requeueLost(silentMs: number): Promise<LostWorker[]> {
    const { urgent, db, time, holder } = this.#dependencies
    const { rows } = await urgent.withRetries(() => urgent.pool.query({ ...LOST, values: [time.virtualNow, silentMs] }))
    // Does not use an urgent connection: a lost worker may have been disconnected in a transaction, and this may
    // wait for its locks.
    const urls = await db.withRetries(async () =>
      requeueLost(db, { holder, now: await time.now(db.pool), silentMs, virtualNow: time.virtualNow }),
    )
    return rows.map((row): LostWorker => {
      const id = String(row['id'])
      return { id, silentMs: Number(row['silent_ms']), urls: urls.get(id) ?? 0 }
    })
  }

  async backlog(): Promise<Backlog> {
    const { db, time } = this.#dependencies
    return db.withRetries(async () => {
      const [row] = (await db.pool.query({ ...BACKLOG, values: [time.virtualNow] })).rows
      return { dueHosts: Number(row?.['due_hosts']) }
    })
  }

  async deleteGone(olderThanMs: number): Promise<void> {
    const { db, time } = this.#dependencies
    await db.withRetries(async () => {
      await deleteGone(db.pool, time.virtualNow, olderThanMs)
      await db.pool.query({ text: DELETE_ARCHIVE_NODES, values: [time.virtualNow, olderThanMs] })
      await mergeCounters(db.pool)
    })
  }

  async #requeueWorker(tx: Queryable, processNumber: number, workerId: string): Promise<void> {
    const { time, holder } = this.#dependencies
    await requeueHolders(tx, `${processNumber}/${workerId}-`, { holder, now: await time.now(tx) })
  }
}

export async function listArchiveNodes(db: Queryable, storeClock: StoreClock): Promise<ApiArchiveNode[]> {
  const { rows } = await db.query({ ...ARCHIVE_NODES, values: [storeClock.virtualNow] })
  return rows.map(({ id, name, address }) => ({
    id: String(id),
    name: String(name),
    address: address as string | null,
  }))
}

/** Also used by the reader thread. */
export async function listWorkers(db: Queryable, storeClock: StoreClock): Promise<WorkerRow[]> {
  const { rows } = await db.query({ ...LIST, values: [storeClock.virtualNow, storeClock.workerNow()] })
  return rows.map(toWorkerRow)
}
