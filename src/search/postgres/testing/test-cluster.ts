// A store and an index on one database, with several indexers.

import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import type { TestStore } from '../../../ports/contracts/testing/store-harness.ts'
import type { IndexFeed } from '../../../ports/index-feed.ts'
import type { SearchIndex } from '../../../ports/search.ts'
import { openStore } from '../../../store/postgres/store.ts'
import { testOptions } from '../../../store/testing/postgres-test-store.ts'
import { makeTestDatabase } from '../../../store/testing/test-database.ts'
import { openFeed, openIndex } from '../open.ts'

const START = 1_800_000_000_000
const OPTIONS = { leaseMs: 60_000, random: () => 0.5 }

export interface TestIndexCluster {
  url: string
  clock: ManualClock
  store: TestStore
  index: SearchIndex
  feeds: IndexFeed[]
  close(): Promise<void>
}

export async function makeTestCluster(indexers: number): Promise<TestIndexCluster> {
  const { url, drop } = await makeTestDatabase()
  const clock = new ManualClock(START)
  const timing = { clock, isClockVirtual: true }
  const store = await openStore(url, testOptions(clock, OPTIONS))
  const { close: closeIndex, ...index } = await openIndex(url, timing)
  const feeds = Array.from({ length: indexers }, () =>
    openFeed(url, { ...timing, random: OPTIONS.random, onOutage: () => undefined }),
  )
  return {
    url,
    clock,
    store: { ...store, clock, leaseMs: OPTIONS.leaseMs, reopen: () => Promise.reject(new Error('not here')) },
    index,
    feeds: feeds.map(({ feed }) => feed),
    async close() {
      await Promise.all([...feeds.map((feed) => feed.close()), closeIndex(), store.close()])
      await drop()
    },
  }
}
