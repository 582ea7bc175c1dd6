// What a process at work on a store has, whether it stays or crawls in the foreground: a name, a beat, and the shifts
// that it tells of.

import { randomBytes } from 'node:crypto'
import type { Config } from '../config/schema.ts'
import type { WorkerCrawl } from '../worker/fleet/worker-role.ts'
import type { RunningCrawl } from '../worker/threads/running-crawl.ts'

export const HEARTBEAT_INTERVAL_MS = 1_000
/** A database may be mended while the program runs; a file that failed once is refused until it is opened anew. */
const STORE_RETRY_MS = 600_000

export function storeRetryMs({ store }: Config): number {
  return store === null ? 0 : STORE_RETRY_MS
}

/** Letters and digits, different for every process wherever it runs. */
export function newWorkerId(): string {
  return `w${randomBytes(5).toString('hex')}`
}

export function toRoleCrawl(
  shift: Pick<RunningCrawl, 'run' | 'stop' | 'setProcessCount' | 'stats'>,
  trouble: Promise<never>,
): WorkerCrawl {
  return {
    run: () => shift.run(trouble),
    stop: () => shift.stop(),
    setProcessCount: (workers) => shift.setProcessCount(workers),
    counts() {
      const { hosts: _hosts, ...counts } = shift.stats()
      return counts
    },
  }
}
