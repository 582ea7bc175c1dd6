// A test store that is moved at every crash, from a directory to a database and back. The guarantees that survive a
// crash must survive a move too.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { TestStore } from '../../ports/contracts/testing/store-harness.ts'
import type { Store } from '../../ports/store.ts'
import { openStore as openPostgres } from '../../store/postgres/store.ts'
import { openStore as openSqlite } from '../../store/sqlite/store.ts'
import { type TestStoreOptions, testOptions } from '../../store/testing/postgres-test-store.ts'
import { makeEmptyDatabase } from '../../store/testing/test-database.ts'
import { copyRows, openSource, openTarget } from '../move-store.ts'

/** A realistic time: small numbers would hide overflows. */
const START = 1_800_000_000_000

interface TestStoreLocation {
  where: string
  open(): Promise<Store>
  next(): Promise<TestStoreLocation>
  remove(): Promise<void>
}

export async function makeMovingStore(options: TestStoreOptions): Promise<TestStore> {
  const clock = new ManualClock(START)
  return openTestStore(directoryLocation(clock, options), clock, options)
}

async function openTestStore(
  testStoreLocation: TestStoreLocation,
  clock: ManualClock,
  options: TestStoreOptions,
): Promise<TestStore> {
  const store = await testStoreLocation.open()
  return {
    ...store,
    clock,
    leaseMs: options.leaseMs,
    async reopen() {
      await store.close()
      clock.advance(1)
      const next = await testStoreLocation.next()
      await moveTestStore(testStoreLocation.where, next.where, clock.now())
      await testStoreLocation.remove()
      return openTestStore(next, clock, options)
    },
    async close() {
      await store.close()
      await testStoreLocation.remove()
    },
  }
}

export async function moveTestStore(from: string, to: string, now: number): Promise<void> {
  const source = await openSource(from)
  const target = await openTarget(to)
  const signal = new AbortController().signal
  await copyRows(source, target, { reportProgress: () => undefined, signal })
  assert.deepEqual(await target.finish(now), [])
  await target.close()
  await source.close()
}

function directoryLocation(clock: ManualClock, options: TestStoreOptions): TestStoreLocation {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-move-'))
  const where = join(folder, 'data')
  return {
    where,
    open: async () => openSqlite(where, { ...options, clock, create: true }),
    next: () => databaseLocation(clock, options),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

async function databaseLocation(clock: ManualClock, options: TestStoreOptions): Promise<TestStoreLocation> {
  const { url, drop } = await makeEmptyDatabase()
  return {
    where: url,
    open: () => openPostgres(url, testOptions(clock, options)),
    next: async () => directoryLocation(clock, options),
    remove: drop,
  }
}
