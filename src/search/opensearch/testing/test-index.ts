// An index in a search engine over a store with a manual clock, in its own database and with its own prefix. The
// engine is refreshed before each search, so that searches see all writes at once.

import { randomUUID } from 'node:crypto'
import { parseSearchUrl, type SearchLocation } from '../../../config/values/search-url.ts'
import { ManualClock } from '../../../lib/testing/manual-clock.ts'
import { type TestIndex, toPageResults } from '../../../ports/contracts/testing/test-index.ts'
import type { SearchIndex } from '../../../ports/search.ts'
import { openStore } from '../../../store/postgres/store.ts'
import { testOptions } from '../../../store/testing/postgres-test-store.ts'
import { makeTestDatabase, type TestDatabase } from '../../../store/testing/test-database.ts'
import { writeOutcome } from '../../postgres/write/write-outcome.ts'
import { SearchClient } from '../client.ts'
import { Indices } from '../indices.ts'
import { openEngineFeed, openEngineIndex } from '../open.ts'

const START = 1_800_000_000_000
const OPTIONS = { leaseMs: 60_000, random: () => 0.5 }

/** `node` is the address of the engine, such as 127.0.0.1:9200. */
export async function makeTestIndex(node: string): Promise<TestIndex> {
  const prefix = `test-${randomUUID()}`
  const search = `opensearch://${node}/${prefix}?replicas=0`
  return open(await makeTestDatabase(), search, new ManualClock(START))
}

async function open(database: TestDatabase, search: string, clock: ManualClock): Promise<TestIndex> {
  const address = { url: database.url, search, env: {} }
  const timing = { clock, isClockVirtual: true }
  const store = await openStore(database.url, testOptions(clock, OPTIONS))
  const { close: closeIndex, ...index } = await openEngineIndex(address, timing)
  const opened = openEngineFeed(address, { ...timing, random: OPTIONS.random, onOutage: () => undefined })
  const { feed, db, sink } = opened
  const location = parseSearchUrl(search) ?? fail(search)
  const client = new SearchClient(location, { idleMs: 60_000, attempts: 1 })
  const end = async () => {
    client.close()
    await Promise.all([opened.close(), closeIndex(), store.close()])
  }
  return {
    index: refreshFirst(index, new Indices(client, location)),
    feed,
    store: {
      ...store,
      clock,
      leaseMs: OPTIONS.leaseMs,
      reopen: () => Promise.reject(new Error('the index is reopened')),
    },
    clock,
    async write(documents, leftOut = []) {
      await sink?.check()
      await db.transaction((tx) => writeOutcome(tx, { pages: toPageResults(documents, leftOut), anchors: [] }, sink))
    },
    async reopen() {
      await end()
      clock.advance(1)
      return open(database, search, clock)
    },
    async close() {
      await deleteAll(client, location)
      await end()
      await database.drop()
    },
  }
}

function fail(search: string): never {
  throw new Error(`${search} is no address of a search engine.`)
}

function refreshFirst(index: SearchIndex, indices: Indices): SearchIndex {
  return new Proxy(index, {
    get(target, name: keyof SearchIndex) {
      return async (...args: unknown[]) => {
        await indices.refresh()
        return (target[name] as (...args: unknown[]) => Promise<unknown>)(...args)
      }
    },
  })
}

async function deleteAll(client: SearchClient, { prefix }: SearchLocation): Promise<void> {
  const indices = await client.getOrNull<Record<string, unknown>>(`/${prefix}-*`)
  for (const name of Object.keys(indices ?? {})) await client.send('DELETE', `/${name}`)
  if ((await client.getOrNull(`/_index_template/${prefix}`)) !== null)
    await client.send('DELETE', `/_index_template/${prefix}`)
}
