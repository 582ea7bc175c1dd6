// Hosts by name, cached in memory: their pace is needed for every lease and commit.

import type { DatabaseSync } from 'node:sqlite'
import type { HostReservation } from '../../../frontier/host-turns.ts'
import { isRecent, nextAtAfterLoss, nextAtAfterRestart, SAVE_LEASED_HOST_MS } from '../../../frontier/next-request.ts'
import { AppError } from '../../../lib/errors.ts'
import { HEALTHY_HOST, type HostHealth, type HostReport } from '../../../ports/frontier.ts'

export interface Host {
  readonly id: number
  readonly name: string
  nextAt: number
  /** `next_at` in the file; 0 if the host was never requested, as far as we know. */
  savedNextAt: number
  /** A request just before the store was opened may not have been reported. */
  readonly isRecentAtOpening: boolean
  responseMs: number
  /** The gap as last reported. */
  gapMs: number
  concurrencyLimit: number
  health: HostHealth
  /** Slots leased at present, over all crawls. */
  leasedSlots: number
  reservation: HostReservation | null
}

export class Hosts {
  readonly #byName = new Map<string, Host>()
  readonly #byId = new Map<number, Host>()
  readonly #openedAt: number
  readonly #find
  readonly #findById
  readonly #insert
  readonly #update
  readonly #saveNextAt

  constructor(db: DatabaseSync, openedAt: number) {
    this.#openedAt = openedAt
    this.#find = db.prepare('select * from hosts where name = ?')
    this.#findById = db.prepare('select * from hosts where id = ?')
    this.#insert = db.prepare('insert into hosts (name) values (?) returning *')
    this.#update = db.prepare(
      'update hosts set next_at = ?, response_ms = ?, gap_ms = ?, concurrency_limit = ?, strikes = ? where id = ?',
    )
    this.#saveNextAt = db.prepare('update hosts set next_at = ? where id = ?')
  }

  byName(name: string): Host {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const row = this.#find.get(name) ?? this.#insert.get(name)
    if (row === undefined) throw new AppError('INTERNAL', `Host ${name} cannot be added.`)
    return this.#cache(row)
  }

  byId(id: number): Host | undefined {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const row = this.#findById.get(id)
    return row === undefined ? undefined : this.#cache(row)
  }

  record(report: HostReport): Host | undefined {
    const host = this.byId(report.hostId)
    if (host === undefined) return undefined
    host.nextAt = Math.max(host.nextAt, Math.round(report.nextAt))
    host.responseMs = Math.round(report.responseMs)
    host.gapMs = Math.round(report.gapMs)
    host.concurrencyLimit = report.concurrencyLimit ?? host.concurrencyLimit
    host.health = report.health
    host.savedNextAt = host.nextAt
    this.#update.run(host.nextAt, host.responseMs, host.gapMs, host.concurrencyLimit, report.health.strikes, host.id)
    return host
  }

  /** The lost lease may have made a request that was never reported. */
  delayAfterLoss(host: Host, delayMs: number | 'auto', noticedAt: number): void {
    host.nextAt = nextAtAfterLoss(host, delayMs, noticedAt)
  }

  /** A crawl with this delay may have requested the host just before the store was opened. */
  delayAfterRestart(host: Host, delayMs: number | 'auto'): void {
    if (host.isRecentAtOpening) this.delayAfterLoss(host, delayMs, this.#openedAt)
  }

  /** Those of the leased hosts whose time in the file must be saved again: after a crash it is all that is known. */
  listOutdated(hostIds: Iterable<number>, now: number): Host[] {
    const outdated: Host[] = []
    for (const id of hostIds) {
      const host = this.byId(id)
      // A host without a time in the file counts as requested recently.
      if (host !== undefined && host.savedNextAt > 0 && host.savedNextAt <= now - SAVE_LEASED_HOST_MS)
        outdated.push(host)
    }
    return outdated
  }

  saveLeased(host: Host, now: number): void {
    host.savedNextAt = Math.max(host.nextAt, now)
    this.#saveNextAt.run(host.savedNextAt, host.id)
  }

  #cache(row: Record<string, unknown>): Host {
    const gapMs = Number(row['gap_ms'])
    const savedNextAt = Number(row['next_at'])
    const saved = { nextAt: savedNextAt, gapMs }
    const host: Host = {
      id: Number(row['id']),
      name: String(row['name']),
      nextAt: nextAtAfterRestart(saved, this.#openedAt),
      savedNextAt,
      isRecentAtOpening: savedNextAt === 0 || isRecent(saved, this.#openedAt),
      responseMs: Number(row['response_ms']),
      gapMs,
      concurrencyLimit: Number(row['concurrency_limit']),
      health: { ...HEALTHY_HOST, strikes: Number(row['strikes']) },
      leasedSlots: 0,
      reservation: null,
    }
    this.#byName.set(host.name, host)
    this.#byId.set(host.id, host)
    return host
  }
}
