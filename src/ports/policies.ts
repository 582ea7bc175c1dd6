// Policies of hosts, set by the operator for every crawl of the store.

import type { Policy } from '../config/policies/policy.ts'

export interface StoredPolicy extends Policy {
  updatedAt: number
}

export interface PolicyReader {
  /** By host. */
  list(): Promise<StoredPolicy[]>
}

export interface Policies extends PolicyReader {
  /**
   * Replaces the policies of these patterns. Threads apply the change with their next lease request: they release their
   * hosts, and lease them again.
   */
  set(policies: Policy[]): Promise<void>
  /** False if there is none. */
  remove(host: string): Promise<boolean>
}
