// Two processes on one database: one changes a crawl that the other works on.

import type { TestContext } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { foundUrl } from '../../ports/contracts/testing/store-harness.ts'
import type { Store } from '../../ports/store.ts'
import { STATEMENT_MS } from '../postgres/connect.ts'
import { openStore } from '../postgres/store.ts'
import { makeVisitFacts, shortName } from './concurrent-crawl.ts'
import { makeTestDatabase, type TestDatabase } from './test-database.ts'

export async function openTwoStores(t: Pick<TestContext, 'after'>): Promise<[Store, Store, TestDatabase]> {
  const database = await makeTestDatabase()
  const options = { clock: systemClock, isClockVirtual: false, random: Math.random, leaseMs: 60_000, connections: 3 }
  const open = () =>
    openStore(database.url, { ...options, statementMs: STATEMENT_MS, create: true, onOutage: () => undefined })
  const stores: [Store, Store] = [await open(), await open()]
  t.after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await database.drop()
  })
  return [...stores, database]
}

/** A worker of one process. */
export function makeWorker({ frontier }: Store, crawlId: string) {
  const lists = { found: [], hosts: [], samples: [] }
  return {
    async lease(maxUrls = 100) {
      const request = { crawlId, threadId: 'w', maxUrls, maxHosts: 9, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
      return (await frontier.lease(request)).leases
    },
    async visit(lease: { token: number; urls: { id: number }[] }, links: string[]) {
      const urls = links.map(foundUrl)
      const outcome = { state: 'visited' as const, reason: null }
      const visits = lease.urls.map(({ id }) => {
        const about = { token: lease.token, urlId: id, outcome, facts: makeVisitFacts('page'), page: null }
        return { ...about, found: urls, linkCount: urls.length, traps: null, freshness: null }
      })
      const linkKeys = new Uint8Array(new BigInt64Array(lease.urls.flatMap(() => urls.map(({ key }) => key))).buffer)
      const rest = { ...lists, rejected: {}, requests: {}, subresources: [], release: [lease.token], bytes: 0 }
      await frontier.commit({ crawlId, threadId: 'w', visits, linkKeys, ...rest })
    },
  }
}

export async function readStates(store: Store, crawlId: string): Promise<Record<string, string>> {
  const rows = await Array.fromAsync(store.urls.rows(crawlId))
  return Object.fromEntries(rows.map((row) => [shortName(row.url), row.reason ?? row.state]))
}
