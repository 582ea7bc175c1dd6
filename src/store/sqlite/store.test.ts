import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '../../lib/manual-clock.ts'
import { crawlContract } from '../../ports/crawl.contract.ts'
import { frontierContract } from '../../ports/frontier.contract.ts'
import type { TestStore } from '../../ports/store.contract.ts'
import { openStore } from './store.ts'

const LEASE_MS = 30_000

function makeStore(dir = mkdtempSync(join(tmpdir(), 'orbweaver-store-')), clock = new ManualClock()): TestStore {
  const store = openStore(dir, { clock, random: () => 0.5, leaseMs: LEASE_MS, create: true })
  return {
    ...store,
    clock,
    leaseMs: LEASE_MS,
    async reopen() {
      store.close()
      clock.advance(1)
      return makeStore(dir, clock)
    },
    async close() {
      store.close()
      rmSync(dir, { recursive: true })
    },
  }
}

frontierContract('sqlite', async () => makeStore())
crawlContract('sqlite', async () => makeStore())
