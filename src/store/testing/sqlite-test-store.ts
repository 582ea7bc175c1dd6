// A store in its own directory, on a clock that the test moves.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { TestStore } from '../../ports/contracts/testing/store-harness.ts'
import { openStore } from '../sqlite/store.ts'

export interface TestStoreOptions {
  leaseMs: number
  random: () => number
}

export function makeTestStore(options: TestStoreOptions): TestStore {
  return open(mkdtempSync(join(tmpdir(), 'orbweaver-store-')), new ManualClock(), options)
}

function open(dir: string, clock: ManualClock, options: TestStoreOptions): TestStore {
  const store = openStore(dir, { ...options, clock, create: true })
  return {
    ...store,
    clock,
    leaseMs: options.leaseMs,
    async reopen() {
      await store.close()
      clock.advance(1)
      return open(dir, clock, options)
    },
    async close() {
      await store.close()
      rmSync(dir, { recursive: true })
    },
  }
}
