import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { AppError } from '../lib/errors.ts'
import { silentLog } from '../lib/log.ts'
import { AUDIT_LOST_AFTER_MS, type AuditSummary } from '../ports/audits.ts'
import { StoreHarness } from '../ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'
import { AuditRunner, isAuditRunning } from './audit-runner.ts'

const SUMMARY: AuditSummary = {
  urls: 1,
  pages: 0,
  unreadPages: 0,
  openUrls: 0,
  crawlStatus: 'completed',
  earlierCrawlId: null,
  counts: {},
  skipped: {},
}

/** Audits end when the test says so. */
async function openRunner(t: TestContext) {
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  t.after(() => store.close())
  const begun: { crawlId: string; end: PromiseWithResolvers<AuditSummary | null> }[] = []
  let idleCount = 0
  const runner = new AuditRunner({
    audits: store.audits,
    run({ crawlId }) {
      const end = Promise.withResolvers<AuditSummary | null>()
      begun.push({ crawlId, end })
      return end.promise
    },
    onIdle: async () => {
      idleCount += 1
    },
    clock: store.clock,
    log: silentLog,
  })
  const startCrawl = async () => (await new StoreHarness(store).start(['a/1'])).id
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await new Promise(setImmediate)
  }
  const stateOf = async (id: string) => (await store.audits.latest(id)).last?.state ?? null
  return { store, runner, begun, startCrawl, until, stateOf, idleCount: () => idleCount }
}

it('audits run one after another', async (t) => {
  const { runner, begun, startCrawl, until, stateOf, idleCount } = await openRunner(t)
  const [first, second] = [await startCrawl(), await startCrawl()]
  await runner.start(first)
  await until(() => begun.length === 1)
  await runner.start(second)
  await runner.start(first)
  assert.deepEqual([runner.isWaiting(first), runner.isWaiting(second)], [false, true])
  begun[0]?.end.resolve(SUMMARY)
  await until(() => begun.length === 2)
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['finished', 'running'])
  begun[1]?.end.reject(new AppError('ARCHIVE_BROKEN', 'The disk is gone.'))
  await until(() => idleCount() === 1)
  assert.deepEqual([begun.map(({ crawlId }) => crawlId), await stateOf(second)], [[first, second], 'failed'])
})

it('an audit that waits can be cancelled, and so is one that the process cannot finish', async (t) => {
  const { runner, begun, startCrawl, until, stateOf } = await openRunner(t)
  const [first, second] = [await startCrawl(), await startCrawl()]
  await runner.start(first)
  await until(() => begun.length === 1)
  await runner.start(second)
  assert.equal(runner.cancelWaiting(second), true)
  const stopped = runner.stop()
  begun[0]?.end.resolve(null)
  await stopped
  assert.deepEqual([await stateOf(first), await stateOf(second), begun.length], ['cancelled', null, 1])
})

it('an audit whose process is gone can be started again', async (t) => {
  const { store, runner, begun, startCrawl, until } = await openRunner(t)
  const crawlId = await startCrawl()
  await store.audits.begin(crawlId, store.clock.now())
  await runner.start(crawlId)
  assert.equal(runner.isWaiting(crawlId), false)
  store.clock.advance(AUDIT_LOST_AFTER_MS)
  const { last } = await store.audits.latest(crawlId)
  assert.ok(last !== null && !isAuditRunning(last, store.clock.now()))
  await runner.start(crawlId)
  await until(() => begun.length === 1)
  begun[0]?.end.resolve(SUMMARY)
  await runner.stop()
})
