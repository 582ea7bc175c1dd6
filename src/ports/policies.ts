// Policies of hosts, set by the operator for every crawl of the store.

import type { Policy } from '../config/policies/policy.ts'

/** Reason of URLs that were excluded because their host has all the pages that its policy allows. */
export const HOST_MAX_PAGES = 'host_max_pages'

export interface StoredPolicy extends Policy {
  updatedAt: number
}

export interface PolicyReader {
  /** All policies, sorted by host. */
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
