// A store in its own database, on a clock that the test moves.

import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { TestStore } from '../../ports/contracts/testing/store-harness.ts'
import { STATEMENT_MS } from '../postgres/connect.ts'
import { openStore, type StoreOptions } from '../postgres/store.ts'
import { makeTestDatabase, type TestDatabase } from './test-database.ts'

/** As large as real times, so that no statement takes them for small integers. */
const START = 1_800_000_000_000

export interface TestStoreOptions {
  leaseMs: number
  random: () => number
}

export async function makeTestStore(options: TestStoreOptions): Promise<TestStore> {
  return open(await makeTestDatabase(), new ManualClock(START), options)
}

export function testOptions(clock: ManualClock, { leaseMs, random }: TestStoreOptions): StoreOptions {
  return {
    clock,
    leaseMs,
    random,
    isClockVirtual: true,
    connections: 4,
    statementMs: STATEMENT_MS,
    create: true,
    onOutage: () => undefined,
  }
}

async function open(database: TestDatabase, clock: ManualClock, options: TestStoreOptions): Promise<TestStore> {
  const store = await openStore(database.url, testOptions(clock, options))
  return {
    ...store,
    clock,
    leaseMs: options.leaseMs,
    async reopen() {
      await store.close()
      clock.advance(1)
      return open(database, clock, options)
    },
    async close() {
      await store.close()
      await database.drop()
    },
  }
}
