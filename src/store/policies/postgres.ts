// The policies of hosts. Every process caches them; the version, which lease requests read, shows whether they have changed.

import { type HostSettings, settingsForHost } from '../../config/policies/host-settings.ts'
import { EMPTY_POLICY, type Policy } from '../../config/policies/policy.ts'
import { type HostPolicy, PolicyTable } from '../../config/policies/policy-table.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { Policies, PolicyReader, StoredPolicy } from '../../ports/policies.ts'
import { weightQueues } from '../frontier/postgres/weight-queues.ts'
import type { Database } from '../postgres/database.ts'
import type { Queryable } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { notifyWork } from '../postgres/work-notifier.ts'
import { changesBounds, LIST_POLICIES, policyValues, savePolicySql, toPolicy } from './policy-row.ts'

const LIST = { name: 'policies_list', text: LIST_POLICIES }
const SAVE = savePolicySql((at) => `$${at}`)
const REMOVE = 'delete from domain_policies where host = $1 returning host'
/** Runs before the rows change, so that changes take effect one after the other. */
const RAISE_VERSION = 'update policy_version set version = version + 1'

const NAMES = { name: 'policies_host_names', text: 'select id, name from hosts where id = any($1::int[])' }

/** SQL expression of the current version. */
export const POLICY_VERSION_SQL = '(select version from policy_version)'

const MAX_REMEMBERED = 100_000

export class PolicyCache {
  readonly #db: Queryable
  readonly #known = new Map<string, HostPolicy | null>()
  #table = new PolicyTable([])
  /** No version is 0. */
  #version = 0

  constructor(db: Queryable) {
    this.#db = db
  }

  get version(): number {
    return this.#version
  }

  /** Reads the policies again if the version is another one. */
  async refresh(version: number): Promise<void> {
    if (version === this.#version) return
    const { rows } = await this.#db.query(LIST)
    this.#table = new PolicyTable(rows.map(toPolicy))
    this.#known.clear()
    this.#version = version
  }

  resolve(host: string): HostPolicy | null {
    if (this.#table.isEmpty) return null
    const known = this.#known.get(host)
    if (known !== undefined) return known
    const policy = this.#table.resolve(host)
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(host, policy)
    return policy
  }

  settingsAt(settings: CrawlSettings, host: string): HostSettings {
    return settingsForHost(settings, this.resolve(host))
  }

  /** Settings of a crawl at each of these hosts. */
  async readSettings(
    db: Queryable,
    settings: CrawlSettings,
    hostIds: number[],
  ): Promise<(hostId: number) => CrawlSettings> {
    if (this.#table.isEmpty || hostIds.length === 0) return () => settings
    const { rows } = await db.query({ ...NAMES, values: [hostIds] })
    const byId = new Map(rows.map((row) => [Number(row['id']), this.settingsAt(settings, String(row['name']))]))
    return (hostId) => byId.get(hostId) ?? settings
  }

  weightOf(host: string): number {
    return this.resolve(host)?.weight ?? 1
  }
}

export function makePolicyReader(db: Queryable): PolicyReader {
  return { list: async () => (await db.query(LIST)).rows.map(toPolicy) }
}

export class PostgresPolicies implements Policies {
  readonly #db: Database
  readonly #time: StoreClock

  constructor({ db, time }: { db: Database; time: StoreClock }) {
    this.#db = db
    this.#time = time
  }

  list(): Promise<StoredPolicy[]> {
    return this.#db.withRetries(() => makePolicyReader(this.#db.pool).list())
  }

  async set(policies: Policy[]): Promise<void> {
    await this.#change(policies, async (tx) => {
      const now = await this.#time.now(tx)
      for (const policy of policies) await tx.query({ text: SAVE, values: policyValues(policy, now) })
    })
  }

  async remove(host: string): Promise<boolean> {
    const nothing = { ...EMPTY_POLICY, host }
    return this.#change([nothing], async (tx) => (await tx.query({ text: REMOVE, values: [host] })).rows.length === 1)
  }

  /** `after` are the changed policies that remain. */
  async #change<T>(after: Policy[], change: (tx: Queryable) => Promise<T>): Promise<T> {
    const result = await this.#db.withRetries(() =>
      this.#db.transaction(async (tx) => {
        await tx.query({ text: RAISE_VERSION })
        const before = new Map((await makePolicyReader(tx).list()).map((policy) => [policy.host, policy]))
        const hasOtherBounds = after.some((policy) => changesBounds(before.get(policy.host), policy))
        const changed = await change(tx)
        // Visits are planned again, in batches.
        if (hasOtherBounds) await tx.query({ text: 'update recrawls set planned_to = 0' })
        return changed
      }),
    )
    const table = new PolicyTable(await this.list())
    await weightQueues(this.#db, (host) => table.resolve(host)?.weight ?? 1)
    await this.#db.withRetries(() => this.#db.transaction((tx) => notifyWork(tx, 0)))
    return result
  }
}
