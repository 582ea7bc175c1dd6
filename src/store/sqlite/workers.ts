// The register of workers. On SQLite one process owns the file, so there is one at work at most; the others are of
// before.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import type { Crawl } from '../../ports/crawls.ts'
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
import type { Transactions } from './transaction.ts'

export interface WorkerParts {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  /** Gives back what the threads of a process hold. */
  takeBack: (workerId: string) => void
  /** Gives back what they hold and have not renewed since; answers how many urls. */
  takeBackSilent: (workerId: string, since: number) => number
  dueHosts: () => number
}

export class SqliteWorkers implements Workers {
  readonly #parts: WorkerParts
  readonly #beat
  readonly #crawls
  readonly #atWork
  readonly #setState
  readonly #silent
  readonly #lost
  readonly #forget
  /** In memory: whoever asks for one is a thread of this process. */
  readonly #holds = new Map<string, { reason: FleetHold; until: number }>()

  constructor(parts: WorkerParts) {
    const { db } = parts
    this.#parts = parts
    // A drain that was asked for outlives the beats; being lost or gone does not.
    this.#beat = db.prepare(
      `insert into workers (id, name, version, address, state, started_at, seen_at, figures)
       values (?, ?, ?, ?, 'working', ?, ?, ?)
       on conflict (id) do update set seen_at = excluded.seen_at, figures = excluded.figures, address = excluded.address,
         note = iif(state = 'draining', note, null), state = iif(state = 'draining', state, 'working')
       returning state`,
    )
    this.#atWork = db.prepare(`select count(*) as n from workers where state = 'working' and seen_at > ?`)
    this.#crawls = db.prepare(`select * from crawls where status = 'running' order by id`)
    this.#setState = db.prepare(`update workers set state = ?, note = coalesce(?, note) where id = ?`)
    this.#silent = db.prepare(
      `select id, seen_at from workers where state in ('working', 'draining') and seen_at <= ? order by id`,
    )
    this.#lost = db.prepare(`select id from workers where state = 'lost'`)
    this.#forget = db.prepare(`delete from workers where state in ('left', 'lost') and seen_at < ?`)
  }

  async beat({ id, name, version, address, startedAt, figures }: WorkerBeat): Promise<Orders> {
    const { clock, transactions } = this.#parts
    let mayWork = true
    transactions.run(() => {
      const row = this.#beat.get(id, name, version, address, startedAt, clock.now(), JSON.stringify(figures))
      mayWork = row?.['state'] === 'working'
    })
    const workers = Math.max(1, Number(this.#atWork.get(clock.now() - SILENT_MS)?.['n']))
    const held = this.#holds.values().find(({ until }) => until > clock.now())?.reason ?? null
    return { mayWork, workers, held, crawls: this.#crawls.all().map((row): Crawl => toCrawl(row)) }
  }

  async leave(workerId: string): Promise<void> {
    this.#parts.takeBack(workerId)
    this.#parts.transactions.run(() => this.#setState.run('left', null, workerId))
  }

  async list(): Promise<WorkerRow[]> {
    return listWorkers(this.#parts.db)
  }

  async hold(reason: FleetHold, holder: string, forMs: number): Promise<void> {
    this.#holds.set(holder, { reason, until: this.#parts.clock.now() + forMs })
  }

  async keep(): Promise<void> {
    // The process that has the file has the folder too.
  }

  async keepers(): Promise<Keeper[]> {
    return []
  }

  async drain(workerId: string, why: string): Promise<void> {
    this.#parts.transactions.run(() => this.#setState.run('draining', why, workerId))
  }

  async takeLost(silentMs: number): Promise<LostWorker[]> {
    const { clock, transactions, takeBackSilent } = this.#parts
    const now = clock.now()
    const lost = this.#silent.all(now - silentMs).map((row) => {
      return { id: String(row['id']), silentMs: now - Number(row['seen_at']) }
    })
    for (const { id, silentMs: forMs } of lost) {
      transactions.run(() => this.#setState.run('lost', `not heard for ${Math.round(forMs / 1000)} s`, id))
    }
    const urls = new Map(
      this.#lost.all().map(({ id }) => [String(id), takeBackSilent(String(id), now - silentMs)] as const),
    )
    return lost.map(({ id, silentMs: forMs }) => ({ id, silentMs: forMs, urls: urls.get(id) ?? 0 }))
  }

  async backlog(): Promise<Backlog> {
    return { dueHosts: this.#parts.dueHosts() }
  }

  async forgetGone(olderThanMs: number): Promise<void> {
    const before = this.#parts.clock.now() - olderThanMs
    this.#parts.transactions.run(() => this.#forget.run(before))
  }
}

/** Also for those who only look. */
export function listWorkers(db: DatabaseSync): WorkerRow[] {
  return db.prepare('select * from workers order by started_at, id').all().map(toWorkerRow)
}
