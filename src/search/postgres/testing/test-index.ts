// An index over a store with a manual clock, in its own database.

import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { type TestIndex, toPageResults } from '../../../ports/contracts/testing/test-index.ts'
import { openStore } from '../../../store/postgres/store.ts'
import { testOptions } from '../../../store/testing/postgres-test-store.ts'
import { makeTestDatabase, type TestDatabase } from '../../../store/testing/test-database.ts'
import { openFeed, openIndex } from '../open.ts'
import { writeOutcome } from '../write/write-outcome.ts'

/** A realistic timestamp. */
const START = 1_800_000_000_000
const OPTIONS = { leaseMs: 60_000, random: () => 0.5 }

export async function makeTestIndex(): Promise<TestIndex> {
  return open(await makeTestDatabase(), new ManualClock(START))
}

async function open(database: TestDatabase, clock: ManualClock): Promise<TestIndex> {
  const { url } = database
  const store = await openStore(url, testOptions(clock, OPTIONS))
  const { close: closeIndex, ...index } = await openIndex(url, { clock, isClockVirtual: true })
  const {
    feed,
    db,
    close: closeFeed,
  } = openFeed(url, {
    clock,
    isClockVirtual: true,
    random: OPTIONS.random,
    onOutage: () => undefined,
  })
  const end = async () => {
    await Promise.all([closeFeed(), closeIndex(), store.close()])
  }
  return {
    index,
    feed,
    store: {
      ...store,
      clock,
      leaseMs: OPTIONS.leaseMs,
      reopen: () => Promise.reject(new Error('the index is reopened')),
    },
    clock,
    async write(documents, leftOut = []) {
      await db.transaction((tx) => writeOutcome(tx, { pages: toPageResults(documents, leftOut), anchors: [] }))
    },
    async reopen() {
      await end()
      clock.advance(1)
      return open(database, clock)
    },
    async close() {
      await end()
      await database.drop()
    },
  }
}
