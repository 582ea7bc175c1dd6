// Code that worker processes and foreground crawls share: worker ids, heartbeat settings, and the adapter from a
// running crawl to the worker role.

import { randomBytes } from 'node:crypto'
import type { Config } from '../config/schema.ts'
import type { WorkerCrawl } from '../worker/fleet/worker-role.ts'
import type { RunningCrawl } from '../worker/threads/running-crawl.ts'

export const HEARTBEAT_INTERVAL_MS = 1_000
/** A database may recover while the process runs; a SQLite file that failed is unusable until it is reopened. */
const STORE_RETRY_MS = 600_000

export function storeRetryMs({ store }: Config): number {
  return store === null ? 0 : STORE_RETRY_MS
}

/** Letters and digits, unique across machines. */
export function newWorkerId(): string {
  return `w${randomBytes(5).toString('hex')}`
}

export function toRoleCrawl(
  crawl: Pick<RunningCrawl, 'run' | 'stop' | 'setProcessCount' | 'stats'>,
  failure: Promise<never>,
): WorkerCrawl {
  return {
    run: () => crawl.run(failure),
    stop: () => crawl.stop(),
    setProcessCount: (workers) => crawl.setProcessCount(workers),
    counts() {
      const { hosts: _hosts, ...counts } = crawl.stats()
      return counts
    },
  }
}
