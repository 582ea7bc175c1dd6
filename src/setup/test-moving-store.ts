// A store that is moved at every crash: from a directory to a database, and from there to a directory. What a store
// promises beyond a crash it must promise beyond a move.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '../lib/manual-clock.ts'
import type { TestStore } from '../ports/store.contract.ts'
import type { Store } from '../ports/store.ts'
import { openStore as openPostgres } from '../store/postgres/store.ts'
import { makeEmptyDatabase } from '../store/postgres/test-database.ts'
import { type TestStoreOptions, testOptions } from '../store/postgres/test-store.ts'
import { openStore as openSqlite } from '../store/sqlite/store.ts'
import { carryRows, openSource, openTarget } from './move.ts'

/** As large as times are. */
const START = 1_800_000_000_000

interface Place {
  where: string
  open(): Promise<Store>
  next(): Promise<Place>
  remove(): Promise<void>
}

export async function makeMovingStore(options: TestStoreOptions): Promise<TestStore> {
  const clock = new ManualClock(START)
  return openAt(directory(clock, options), clock, options)
}

async function openAt(place: Place, clock: ManualClock, options: TestStoreOptions): Promise<TestStore> {
  const store = await place.open()
  return {
    ...store,
    clock,
    leaseMs: options.leaseMs,
    async reopen() {
      await store.close()
      clock.advance(1)
      const next = await place.next()
      await moveStore(place.where, next.where, clock.now())
      await place.remove()
      return openAt(next, clock, options)
    },
    async close() {
      await store.close()
      await place.remove()
    },
  }
}

export async function moveStore(from: string, to: string, now: number): Promise<void> {
  const source = await openSource(from)
  const target = await openTarget(to)
  const signal = new AbortController().signal
  await carryRows(source, target, { tell: () => undefined, signal })
  assert.deepEqual(await target.finish(now), [])
  await target.close()
  await source.close()
}

function directory(clock: ManualClock, options: TestStoreOptions): Place {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-move-'))
  const where = join(folder, 'data')
  return {
    where,
    open: async () => openSqlite(where, { ...options, clock, create: true }),
    next: () => database(clock, options),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

async function database(clock: ManualClock, options: TestStoreOptions): Promise<Place> {
  const { url, drop } = await makeEmptyDatabase()
  return {
    where: url,
    open: () => openPostgres(url, testOptions(clock, options)),
    next: async () => directory(clock, options),
    remove: drop,
  }
}
