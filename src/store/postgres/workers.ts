// The register of workers. Times are kept by the database's clock and cross the border as distances (time.ts).

import {
  type Backlog,
  type FleetHold,
  type Keeper,
  type LostWorker,
  type Orders,
  SILENT_MS,
  type WorkerBeat,
  type WorkerRow,
  type Workers,
} from '../../ports/workers.ts'
import { toCrawl } from '../rows/crawl-row.ts'
import { toWorkerRow } from '../rows/worker-row.ts'
import type { Database } from './database.ts'
import { foldRows } from './fold.ts'
import { forgetOlder } from './forget.ts'
import { plainText, type Queryable } from './query.ts'
import { takeBackLost, takeBackProcess } from './take-back.ts'
import type { Time } from './time.ts'

export interface WorkerParts {
  /** Of its own, so that a worker is heard whatever its commits and leases wait for. */
  urgent: Database
  db: Database
  time: Time
  /** Of this process, as leases name it. */
  process: number
  /** In whose row of the counters urls are counted that come back. */
  worker: string
}

/** A drain that was asked for outlives the beats; being lost or gone does not. */
const BEAT = {
  name: 'workers_beat',
  text: `insert into workers (id, process, name, version, started_at, seen_at, figures, state, address)
    select $1, $2::bigint, $3, $4, $5::bigint - ($8::bigint - now), now, $6, 'working', $9 from now_ms($7) as now
    on conflict (id) do update set process = excluded.process, seen_at = excluded.seen_at, figures = excluded.figures,
      address = excluded.address,
      note = case when workers.state = 'draining' then workers.note end,
      state = case when workers.state = 'draining' then 'draining' else 'working' end
    returning state`,
}
/** One that was killed may not be marked as lost yet. */
const AT_WORK = {
  name: 'workers_at_work',
  text: `select count(*) as n from workers where state = 'working' and seen_at > now_ms($1) - ${SILENT_MS}`,
}
const HELD = {
  name: 'workers_held',
  text: 'select reason from fleet_holds where until > now_ms($1) order by until limit 1',
}
const HOLD = {
  name: 'workers_hold',
  text: `insert into fleet_holds (reason, holder, until) values ($1, $2, now_ms($3) + $4::bigint)
    on conflict (reason, holder) do update set until = excluded.until`,
}
const RUNNING = { name: 'workers_running', text: `select * from crawls where status = 'running' order by id` }
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
    update workers w set state = 'lost', note = 'not heard for ' || round(s.silent_ms / 1000.0) || ' s'
    from silent s where w.id = s.id returning w.id, s.silent_ms`,
}
const MOST_DUE = 5000
const BACKLOG = {
  name: 'workers_backlog',
  text: `select count(*) as due_hosts from (
      select 1 from now_ms($1) as now cross join crawls c join queues q on q.crawl = c.id
      where c.status = 'running' and q.due_at <= now limit ${MOST_DUE}) due`,
}

const KEEP = {
  name: 'keepers_keep',
  text: `insert into keepers (id, name, address, seen_at) values ($1, $2, $3, now_ms($4))
    on conflict (id) do update set address = excluded.address, seen_at = excluded.seen_at`,
}
const KEEPERS = {
  name: 'keepers_list',
  text: `select id, name, address from keepers where seen_at > now_ms($1) - ${SILENT_MS} order by id`,
}
const FORGET_KEEPERS = 'delete from keepers where seen_at < now_ms($1) - $2::bigint'

export class PostgresWorkers implements Workers {
  readonly #parts: WorkerParts

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  async beat({ id, name, version, address, startedAt, figures }: WorkerBeat): Promise<Orders> {
    const { urgent, time, process } = this.#parts
    const about = [id, process, plainText(name), version, startedAt, JSON.stringify(figures)]
    const values = [...about, time.given, time.worker(), address]
    return urgent.persist(async () => {
      const [row] = (await urgent.pool.query({ ...BEAT, values })).rows
      const [counted] = (await urgent.pool.query({ ...AT_WORK, values: [time.given] })).rows
      const [hold] = (await urgent.pool.query({ ...HELD, values: [time.given] })).rows
      const { rows } = await urgent.pool.query(RUNNING)
      const workers = Math.max(1, Number(counted?.['n']))
      const held = (hold?.['reason'] ?? null) as FleetHold | null
      return { mayWork: row?.['state'] === 'working', workers, held, crawls: rows.map(toCrawl) }
    })
  }

  async leave(workerId: string): Promise<void> {
    const { urgent } = this.#parts
    await urgent.persist(() =>
      urgent.transaction(async (tx) => {
        const [row] = (await tx.query({ text: LEAVE, values: [workerId] })).rows
        if (row !== undefined) await this.#takeBack(tx, Number(row['process']), workerId)
      }),
    )
  }

  list(): Promise<WorkerRow[]> {
    const { db, time } = this.#parts
    return db.persist(() => listWorkers(db.pool, time))
  }

  async hold(reason: FleetHold, holder: string, forMs: number): Promise<void> {
    const { urgent, time } = this.#parts
    await urgent.persist(() => urgent.pool.query({ ...HOLD, values: [reason, holder, time.given, forMs] }))
  }

  async keep({ id, name, address }: Keeper): Promise<void> {
    const { db, time } = this.#parts
    await db.persist(() => db.pool.query({ ...KEEP, values: [id, plainText(name), address, time.given] }))
  }

  keepers(): Promise<Keeper[]> {
    const { db, time } = this.#parts
    return db.persist(() => listKeepers(db.pool, time))
  }

  async drain(workerId: string, why: string): Promise<void> {
    const { db } = this.#parts
    await db.persist(() => db.pool.query({ text: DRAIN, values: [workerId, plainText(why)] }))
  }

  async takeLost(silentMs: number): Promise<LostWorker[]> {
    const { urgent, db, time, worker } = this.#parts
    const { rows } = await urgent.persist(() => urgent.pool.query({ ...LOST, values: [time.given, silentMs] }))
    // Not on an urgent connection: a lost worker may have been cut off in a transaction, and its locks be waited for.
    const urls = await db.persist(async () =>
      takeBackLost(db, { worker, now: await time.now(db.pool), silentMs, given: time.given }),
    )
    return rows.map((row): LostWorker => {
      const id = String(row['id'])
      return { id, silentMs: Number(row['silent_ms']), urls: urls.get(id) ?? 0 }
    })
  }

  async backlog(): Promise<Backlog> {
    const { db, time } = this.#parts
    return db.persist(async () => {
      const [row] = (await db.pool.query({ ...BACKLOG, values: [time.given] })).rows
      return { dueHosts: Number(row?.['due_hosts']) }
    })
  }

  async forgetGone(olderThanMs: number): Promise<void> {
    const { db, time } = this.#parts
    await db.persist(async () => {
      await forgetOlder(db.pool, time.given, olderThanMs)
      await db.pool.query({ text: FORGET_KEEPERS, values: [time.given, olderThanMs] })
      await foldRows(db.pool)
    })
  }

  async #takeBack(tx: Queryable, process: number, workerId: string): Promise<void> {
    const { time, worker } = this.#parts
    await takeBackProcess(tx, `${process}/${workerId}-`, { worker, now: await time.now(tx) })
  }
}

export async function listKeepers(db: Queryable, time: Time): Promise<Keeper[]> {
  const { rows } = await db.query({ ...KEEPERS, values: [time.given] })
  return rows.map(({ id, name, address }) => ({
    id: String(id),
    name: String(name),
    address: address as string | null,
  }))
}

/** Also for those who only look. */
export async function listWorkers(db: Queryable, time: Time): Promise<WorkerRow[]> {
  const { rows } = await db.query({ ...LIST, values: [time.given, time.worker()] })
  return rows.map(toWorkerRow)
}
