// Tasks and reports on real stores with a manual clock.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { planCrawl } from '../../engine/crawl/plan/plan-crawl.ts'
import { TEST_SETTINGS, type TestStore } from '../../ports/contracts/testing/store-harness.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { makeTestStore as makePostgresStore } from '../../store/testing/postgres-test-store.ts'
import { makeTestStore as makeSqliteStore } from '../../store/testing/sqlite-test-store.ts'
import { maintainRun } from '../crawl-runs/control-run.ts'
import { claimTasks, type TaskDependencies, type TaskMessage } from './claim-tasks.ts'
import { TaskIdCodec } from './task-id.ts'
import { applyTaskReport, type TaskReport } from './task-report.ts'

const OPTIONS = { leaseMs: 30_000, random: () => 0.5 }
const LOST = { code: 'LEASE_LOST' }
const DONE: TaskReport = {
  isCompleted: true,
  extractedUrls: [],
  httpStatus: 200,
  contentType: null,
  contentBytes: null,
  fetchMs: 100,
  processingMs: null,
  finalUrl: null,
}

testTasks('sqlite', async () => makeSqliteStore(OPTIONS))
testTasks('postgres', () => makePostgresStore(OPTIONS))

function testTasks(name: string, makeStore: () => Promise<TestStore>): void {
  describe(`tasks of external crawlers on ${name}`, () => {
    let store: TestStore
    let dependencies: TaskDependencies

    before(async () => {
      store = await makeStore()
      dependencies = {
        ...store,
        taskIds: new TaskIdCodec(store.access.external),
        random: () => 0.5,
        loadFilterLists: async () => null,
      }
    })
    after(() => store.close())

    async function create(urls: string[], settings: Partial<CrawlSettings> = {}): Promise<string> {
      const allSettings = { ...TEST_SETTINGS, ...settings }
      return (await store.crawls.create(planCrawl({ urls, sitemaps: [], settings: allSettings, keySeed: 7 }))).id
    }

    const claim = async (crawlId: string, crawlerId = 'one', limit = 10) =>
      (await claimTasks({ crawlerId, limit, crawlId }, dependencies)).tasks

    async function report({ task_id }: TaskMessage, changes: Partial<TaskReport> = {}) {
      const taskClaim = await dependencies.taskIds.decode(task_id)
      assert.ok(taskClaim !== null)
      return applyTaskReport(taskClaim, { ...DONE, ...changes }, dependencies)
    }

    async function claimOne(crawlId: string, crawlerId = 'one'): Promise<TaskMessage> {
      const [task, ...more] = await claim(crawlId, crawlerId)
      assert.ok(task !== undefined && more.length === 0)
      return task
    }

    it('go to another crawler when their lease expires, and the late report is ignored', async () => {
      const id = await create(['http://late.test/'])
      const first = await claimOne(id, 'slow')
      store.clock.advance(OPTIONS.leaseMs + 1)
      const second = await claimOne(id, 'quick')
      await assert.rejects(report(first, { extractedUrls: ['http://late.test/wrong'] }), LOST)
      await report(second, { extractedUrls: ['http://late.test/right'] })
      await assert.rejects(report(first), LOST)
      await assert.rejects(report(second), LOST)
      const { ledger } = await store.crawls.progress(id)
      assert.deepEqual([ledger.visited, ledger.queued], [1, 1])
      assert.deepEqual(await store.urls.verify(id), [])
    })

    it('can be decoded by every process of the store', async () => {
      const id = await create(['http://signed.test/'])
      const { task_id } = await claimOne(id)
      assert.equal((await new TaskIdCodec(store.access.external).decode(task_id))?.url.url, 'http://signed.test/')
      assert.equal(await dependencies.taskIds.decode(`x${task_id}`), null)
    })

    it('respect the gap of a host, also the Crawl-delay of robots.txt', async () => {
      const settings = { delayMs: 5000, ignoreRobots: false, userAgent: 'test' }
      const id = await create(['http://gap.test/', 'http://gap.test/b', 'http://gap.test/c'], settings)
      await report(await claimOne(id))
      assert.deepEqual(await claim(id), [])
      store.clock.advance(5000)
      await saveRobots('http://gap.test', 'user-agent: *\ncrawl-delay: 20')
      await report(await claimOne(id))
      store.clock.advance(5000)
      assert.deepEqual(await claim(id), [])
      store.clock.advance(15_000)
      assert.equal((await claim(id)).length, 1)
    })

    it('are not given out for URLs that robots.txt disallows', async () => {
      const id = await create(['http://rules.test/private/', 'http://rules.test/open'], { ignoreRobots: false })
      await saveRobots('http://rules.test', 'user-agent: *\ndisallow: /private/')
      assert.equal((await claimOne(id)).url, 'http://rules.test/open')
      const { ledger } = await store.crawls.progress(id)
      assert.equal(ledger.excluded, 1)
    })

    it('add the same links as a crawl thread', async () => {
      const id = await create(['http://scope.test/'], { scope: 'host', exclude: ['/no/'], maxDepth: 1 })
      const links = ['/a', 'a#b', '/no/x', 'http://other.test/', 'http://www.scope.test/', 'ftp://scope.test/']
      const { state, added } = await report(await claimOne(id), { extractedUrls: links })
      assert.deepEqual([state, added], ['visited', 2])
      const { rejected } = await store.crawls.progress(id)
      assert.deepEqual(rejected, { excluded_pattern: 1, scope: 1, scheme: 1 })
    })

    it('fail after the retries of the crawl', async () => {
      const id = await create(['http://fails.test/'], { retries: 1, retryDelayMs: 1000 })
      const failed = { isCompleted: false, httpStatus: null }
      assert.equal((await report(await claimOne(id), failed)).state, 'retry')
      const { tasks, nextDueAt } = await claimTasks({ crawlerId: 'one', limit: 1, crawlId: id }, dependencies)
      assert.deepEqual(tasks, [])
      assert.ok(nextDueAt !== null && nextDueAt > store.clock.now())
      store.clock.advance(60_000)
      const again = await claimOne(id)
      assert.equal(again.retry_count, 1)
      assert.equal((await report(again, failed)).state, 'failed')
      const { crawl, ledger } = await store.crawls.progress(id)
      assert.deepEqual([crawl.status, ledger.failed], ['completed', 1])
    })

    it('are requeued when the run is read after their lease has expired', async () => {
      const id = await create(['http://stale.test/'])
      await claimOne(id)
      store.clock.advance(OPTIONS.leaseMs + 1)
      await maintainRun(await store.crawls.progress(id), store)
      const { ledger } = await store.crawls.progress(id)
      assert.deepEqual([ledger.queued, ledger.in_progress], [1, 0])
    })

    async function saveRobots(origin: string, body: string): Promise<void> {
      const now = store.clock.now()
      const times = { askedAt: now, expiresAt: now + 86_400_000, goodAt: now }
      await store.robots.save({ origin, ...times, status: 200, problem: null, body: Buffer.from(body) })
    }
  })
}
