// A store and crawl threads in the process of the test.

import type { TestContext } from 'node:test'
import { TEST_SETTINGS } from '../../../src/ports/contracts/testing/store-harness.ts'
import type { Crawl, CrawlSettings, Crawls } from '../../../src/ports/crawls.ts'
import type { Frontier } from '../../../src/ports/frontier.ts'
import type { FoundUrl } from '../../../src/ports/visits.ts'
import { startStoreThread } from '../../../src/store/sqlite/start-threads.ts'
import { Holds } from '../../../src/worker/holds/holds.ts'
import { CrawlThreads } from '../../../src/worker/threads/crawl-threads.ts'
import type { RunningCrawl } from '../../../src/worker/threads/running-crawl.ts'
import { makeTemporaryFolder } from '../../testing/program.ts'

const LEASE_MS = 30_000

export interface TestRuntime {
  crawls: Crawls
  frontier: Frontier
  startCrawl(crawl: Crawl): RunningCrawl
  closeThreads(): Promise<void>
}

export async function openTestRuntime(t: TestContext, leaseMs = LEASE_MS): Promise<TestRuntime> {
  const store = await startStoreThread({ dir: makeTemporaryFolder(t), create: true, leaseMs })
  const crawlThreads = new CrawlThreads(2, 10_000)
  t.after(async () => {
    await crawlThreads.close()
    await store.close()
  })
  const settings = {
    workerId: 'w1',
    seenUrls: 10_000,
    workerRate: null,
    leaseMs,
    pollMinMs: 100,
    pollMaxMs: 30_000,
    failsWithoutProxy: true,
  }
  const frontier = store.client.service<Frontier>('frontier')
  const parts = {
    frontier,
    connectStore: store.connect,
    connectArchive: null,
    connectRenderer: null,
    connectHooks: null,
    holds: new Holds(),
    log: null,
  }
  return {
    crawls: store.client.service<Crawls>('crawls'),
    frontier,
    startCrawl: (crawl) => crawlThreads.begin(crawl, settings, parts),
    closeThreads: () => crawlThreads.close(),
  }
}

function seed(origin: string): FoundUrl {
  const { host } = new URL(origin)
  return { url: `${origin}/`, host, key: 1n, kind: 'page', isRefresh: false, listing: null }
}

export function createCrawl({ crawls }: TestRuntime, origin: string, settings: Partial<CrawlSettings>) {
  const all = { ...TEST_SETTINGS, timeoutMs: 60_000, maxBodyBytes: 100_000, allowPrivate: true, ...settings }
  return crawls.create({ seeds: [seed(origin)], settings: all, keySeed: 1 })
}
