// The registry of workers. On SQLite one process owns the file, so at most one is active; the others are from earlier.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import { ACTIVE_STATUSES_SQL } from '../../lib/states.ts'
import type { Crawl } from '../../ports/crawls.ts'
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
import type { Transactions } from '../sqlite/transactions.ts'
import { toWorkerRow } from './worker-row.ts'

export interface WorkersDependencies {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  /** Requeues the leases of a process. */
  requeueWorker: (workerId: string) => void
  /** Requeues leases of the worker that were not renewed since then, and returns the number of URLs. */
  requeueLostWorker: (workerId: string, since: number) => number
  countDueHosts: () => number
}

export class SqliteWorkers implements Workers {
  readonly #dependencies: WorkersDependencies
  readonly #heartbeat
  readonly #crawls
  readonly #countActive
  readonly #setState
  readonly #silent
  readonly #lost
  readonly #deleteGone
  /** Kept in memory: only threads of this process can request a hold. */
  readonly #holds = new Map<string, { reason: FleetHoldReason; until: number }>()

  constructor(dependencies: WorkersDependencies) {
    const { db } = dependencies
    this.#dependencies = dependencies
    // A heartbeat does not undo a requested drain, but it does undo being lost or gone.
    this.#heartbeat = db.prepare(
      `insert into workers (id, name, version, address, state, started_at, seen_at, figures)
       values (?, ?, ?, ?, 'working', ?, ?, ?)
       on conflict (id) do update set seen_at = excluded.seen_at, figures = excluded.figures, address = excluded.address,
         note = iif(state = 'draining', note, null), state = iif(state = 'draining', state, 'working')
       returning state`,
    )
    this.#countActive = db.prepare(`select count(*) as n from workers where state = 'working' and seen_at > ?`)
    this.#crawls = db.prepare(`select * from crawls where status in ${ACTIVE_STATUSES_SQL} order by id`)
    this.#setState = db.prepare(`update workers set state = ?, note = coalesce(?, note) where id = ?`)
    this.#silent = db.prepare(
      `select id, seen_at from workers where state in ('working', 'draining') and seen_at <= ? order by id`,
    )
    this.#lost = db.prepare(`select id from workers where state = 'lost'`)
    this.#deleteGone = db.prepare(`delete from workers where state in ('left', 'lost') and seen_at < ?`)
  }

  async heartbeat({ id, name, version, address, startedAt, figures }: WorkerHeartbeat): Promise<HeartbeatReply> {
    const { clock, transactions } = this.#dependencies
    let mayWork = true
    transactions.run(() => {
      const row = this.#heartbeat.get(id, name, version, address, startedAt, clock.now(), JSON.stringify(figures))
      mayWork = row?.['state'] === 'working'
    })
    const workers = Math.max(1, Number(this.#countActive.get(clock.now() - HEARTBEAT_TIMEOUT_MS)?.['n']))
    const held = this.#holds.values().find(({ until }) => until > clock.now())?.reason ?? null
    return { mayWork, workers, hold: held, crawls: this.#crawls.all().map((row): Crawl => toCrawl(row)) }
  }

  async leave(workerId: string): Promise<void> {
    this.#dependencies.requeueWorker(workerId)
    this.#dependencies.transactions.run(() => this.#setState.run('left', null, workerId))
  }

  async list(): Promise<WorkerRow[]> {
    return listWorkers(this.#dependencies.db)
  }

  async hold(reason: FleetHoldReason, holder: string, forMs: number): Promise<void> {
    this.#holds.set(holder, { reason, until: this.#dependencies.clock.now() + forMs })
  }

  async announceArchiveNode(): Promise<void> {
    // The process that owns the file owns the archive folder too.
  }

  async listArchiveNodes(): Promise<ApiArchiveNode[]> {
    return []
  }

  async drain(workerId: string, why: string): Promise<void> {
    this.#dependencies.transactions.run(() => this.#setState.run('draining', why, workerId))
  }

  async requeueLost(silentMs: number): Promise<LostWorker[]> {
    const { clock, transactions, requeueLostWorker } = this.#dependencies
    const now = clock.now()
    const lost = this.#silent.all(now - silentMs).map((row) => {
      return { id: String(row['id']), silentMs: now - Number(row['seen_at']) }
    })
    for (const { id, silentMs: forMs } of lost) {
      transactions.run(() => this.#setState.run('lost', `no heartbeat for ${Math.round(forMs / 1000)} s`, id))
    }
    const urls = new Map(
      this.#lost.all().map(({ id }) => [String(id), requeueLostWorker(String(id), now - silentMs)] as const),
    )
    return lost.map(({ id, silentMs: forMs }) => ({ id, silentMs: forMs, urls: urls.get(id) ?? 0 }))
  }

  async backlog(): Promise<Backlog> {
    return { dueHosts: this.#dependencies.countDueHosts() }
  }

  async deleteGone(olderThanMs: number): Promise<void> {
    const before = this.#dependencies.clock.now() - olderThanMs
    this.#dependencies.transactions.run(() => this.#deleteGone.run(before))
  }
}

/** Also used by the reader thread. */
export function listWorkers(db: DatabaseSync): WorkerRow[] {
  return db.prepare('select * from workers order by started_at, id').all().map(toWorkerRow)
}
