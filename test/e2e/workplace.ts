// A store and a crew of threads in the process of the test.

import type { TestContext } from 'node:test'
import type { Crawl, CrawlSettings, Crawls } from '../../src/ports/crawls.ts'
import type { FoundUrl, Frontier } from '../../src/ports/frontier.ts'
import { SETTINGS } from '../../src/ports/store.contract.ts'
import { startStoreThread } from '../../src/store/sqlite/remote.ts'
import { Crew } from '../../src/worker/crew.ts'
import { Holds } from '../../src/worker/holds.ts'
import type { Shift } from '../../src/worker/shift.ts'
import { temporaryFolder } from './program.ts'

const LEASE_MS = 30_000

export interface Workplace {
  crawls: Crawls
  frontier: Frontier
  begin(crawl: Crawl): Shift
  endCrew(): Promise<void>
}

export async function openWorkplace(t: TestContext, leaseMs = LEASE_MS): Promise<Workplace> {
  const store = await startStoreThread({ dir: temporaryFolder(t), create: true, leaseMs })
  const crew = new Crew(2, 10_000)
  t.after(async () => {
    await crew.close()
    await store.close()
  })
  const settings = { workerId: 'w1', seenUrls: 10_000, workerRate: null, leaseMs }
  const frontier = store.client.service<Frontier>('frontier')
  const parts = { frontier, connectStore: store.connect, connectArchive: null, holds: new Holds(), log: null }
  return {
    crawls: store.client.service<Crawls>('crawls'),
    frontier,
    begin: (crawl) => crew.begin(crawl, settings, parts),
    endCrew: () => crew.close(),
  }
}

function seed(origin: string): FoundUrl {
  const { host } = new URL(origin)
  return { url: `${origin}/`, host, key: 1n, kind: 'page', isRefresh: false, listing: null }
}

export function createCrawl({ crawls }: Workplace, origin: string, settings: Partial<CrawlSettings>) {
  const all = { ...SETTINGS, timeoutMs: 60_000, maxBodyBytes: 100_000, allowPrivate: true, ...settings }
  return crawls.create({ seeds: [seed(origin)], settings: all, keySeed: 1 })
}
