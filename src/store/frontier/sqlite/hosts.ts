// Hosts by name, cached in memory: their pace is needed for every lease and commit.

import type { DatabaseSync } from 'node:sqlite'
import { type HostSettings, settingsForHost } from '../../../config/policies/host-settings.ts'
import type { HostPolicy } from '../../../config/policies/policy-table.ts'
import type { HostReservation } from '../../../frontier/host-turns.ts'
import {
  isRecent,
  nextAtAfterLoss,
  nextAtAfterRestart,
  SAVE_LEASED_HOST_MS,
  unreportedDelay,
} from '../../../frontier/next-request.ts'
import { AppError } from '../../../lib/errors.ts'
import type { CrawlSettings } from '../../../ports/crawls.ts'
import type { HostReport } from '../../../ports/frontier.ts'
import { HEALTHY_HOST, type HostHealth } from '../../../ports/leases.ts'

export interface Host {
  readonly id: number
  readonly name: string
  nextAt: number
  /** `next_at` in the file; 0 if the host was never requested, as far as we know. */
  savedNextAt: number
  /** A request just before the store was opened may not have been reported. */
  readonly mayHaveUnreportedRequest: boolean
  responseMs: number
  /** The gap as last reported. */
  gapMs: number
  concurrencyLimit: number
  health: HostHealth
  /** Slots leased at present, over all crawls. */
  leasedSlots: number
  reservation: HostReservation | null
  /** Null if no policy applies. */
  policy: HostPolicy | null
}

/** The settings of a crawl at this host. */
export function settingsAt(settings: CrawlSettings, { policy }: Pick<Host, 'policy'>): HostSettings {
  return policy === null ? settings : settingsForHost(settings, policy)
}

export interface PolicyResolver {
  resolve(host: string): HostPolicy | null
}

export class Hosts {
  readonly #byName = new Map<string, Host>()
  readonly #byId = new Map<number, Host>()
  readonly #openedAt: number
  readonly #policies: PolicyResolver
  readonly #find
  readonly #findById
  readonly #insert
  readonly #update
  readonly #saveNextAt

  constructor(db: DatabaseSync, openedAt: number, policies: PolicyResolver) {
    this.#openedAt = openedAt
    this.#policies = policies
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

  /** Called when the policies have changed. */
  applyPolicies(): void {
    for (const host of this.#byId.values()) host.policy = this.#policies.resolve(host.name)
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
  delayAfterLoss(host: Host, settings: CrawlSettings | undefined, noticedAt: number): void {
    const delayMs = settings === undefined ? 0 : unreportedDelay(settingsAt(settings, host))
    host.nextAt = nextAtAfterLoss(host, delayMs, noticedAt)
  }

  /** A crawl with these settings may have requested the host just before the store was opened. */
  delayAfterRestart(host: Host, settings: CrawlSettings): void {
    if (host.mayHaveUnreportedRequest) this.delayAfterLoss(host, settings, this.#openedAt)
  }

  /** Leased hosts whose due time in the file has to be updated: after a crash, the file is all that is known. */
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
      mayHaveUnreportedRequest: savedNextAt === 0 || isRecent(saved, this.#openedAt),
      responseMs: Number(row['response_ms']),
      gapMs,
      concurrencyLimit: Number(row['concurrency_limit']),
      health: { ...HEALTHY_HOST, strikes: Number(row['strikes']) },
      leasedSlots: 0,
      reservation: null,
      policy: this.#policies.resolve(String(row['name'])),
    }
    this.#byName.set(host.name, host)
    this.#byId.set(host.id, host)
    return host
  }
}
