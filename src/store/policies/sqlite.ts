// The policies of hosts, in memory: they are needed for every lease.

import type { DatabaseSync } from 'node:sqlite'
import type { Policy } from '../../config/policies/policy.ts'
import { type HostPolicy, PolicyTable } from '../../config/policies/policy-table.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Policies, PolicyReader, StoredPolicy } from '../../ports/policies.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { changesBounds, LIST_POLICIES, policyValues, savePolicySql, toPolicy } from './policy-row.ts'

export function makePolicyReader(db: DatabaseSync): PolicyReader {
  const list = db.prepare(LIST_POLICIES)
  return { list: async () => list.all().map(toPolicy) }
}

export interface PoliciesDependencies {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
}

export class SqlitePolicies implements Policies {
  readonly #dependencies: PoliciesDependencies
  readonly #list
  readonly #save
  readonly #remove
  #table: PolicyTable
  #version = 1
  /** Called after a change. */
  onChange: () => void = () => undefined

  constructor(dependencies: PoliciesDependencies) {
    const { db } = dependencies
    this.#dependencies = dependencies
    this.#list = db.prepare(LIST_POLICIES)
    this.#save = db.prepare(savePolicySql(() => '?'))
    this.#remove = db.prepare('delete from domain_policies where host = ?')
    this.#table = this.#read()
  }

  /** Changes with the policies, while the store is open. */
  get version(): number {
    return this.#version
  }

  resolve(host: string): HostPolicy | null {
    return this.#table.resolve(host)
  }

  async list(): Promise<StoredPolicy[]> {
    return this.#list.all().map(toPolicy)
  }

  async set(policies: Policy[]): Promise<void> {
    const { transactions, clock } = this.#dependencies
    transactions.run(() => {
      for (const policy of policies) {
        this.#save.run(...policyValues(policy, clock.now()))
        this.#planAgain(policy.host, policy)
      }
    })
    this.#apply()
  }

  async remove(host: string): Promise<boolean> {
    const isRemoved = this.#dependencies.transactions.run(() => {
      this.#planAgain(host, undefined)
      return this.#remove.run(host).changes === 1
    })
    if (isRemoved) this.#apply()
    return isRemoved
  }

  #read(): PolicyTable {
    return new PolicyTable(this.#list.all().map(toPolicy))
  }

  /** Visits are planned again, in batches, if the policy has other bounds for them. */
  #planAgain(host: string, after: Policy | undefined): void {
    const before = this.#table.policies.find((policy) => policy.host === host)
    if (changesBounds(before, after)) this.#dependencies.db.exec('update recrawls set planned_to = 0')
  }

  #apply(): void {
    this.#table = this.#read()
    this.#version += 1
    this.onChange()
  }
}
