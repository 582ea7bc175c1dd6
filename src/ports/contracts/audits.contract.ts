// Audits on every store.

import assert from 'node:assert/strict'
import { type AuditFinding, type AuditSummary, FINDINGS_PER_CHUNK } from '../audits.ts'
import { describeStore, type TestStore } from './testing/store-harness.ts'

const SUMMARY: AuditSummary = {
  urls: 3,
  pages: 2,
  unreadPages: 0,
  openUrls: 0,
  crawlStatus: 'completed',
  earlierCrawlId: null,
  counts: { 'broken-links': 1 },
  skipped: { 'orphan-pages': 'no_sitemap' },
}
const PROGRESS = { stage: 'pages', done: 1, total: 2 } as const

function finding(n: number): AuditFinding {
  const other = n % 2 === 0 ? { otherUrlId: n + 1, otherUrl: `http://a.test/${n + 1}` } : {}
  return { urlId: n, url: `http://a.test/${n}`, otherUrlId: null, otherUrl: null, text: null, detail: `${n}`, ...other }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => finding(from + i))

export function auditsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: audits`, makeStore, (add) => {
    add('an audit reports its progress, finishes and survives a restart', async (harness) => {
      await harness.start(['a/1'])
      const { audits } = harness.store
      assert.deepEqual(await audits.latest(harness.crawlId), { last: null, finished: null })
      const id = await audits.begin(harness.crawlId, 5)
      assert.ok(id !== null)
      assert.equal(await audits.report(id, PROGRESS, 7), true)
      const running = { id, crawlId: harness.crawlId, startedAt: 5, problem: null, progress: PROGRESS }
      assert.deepEqual(await audits.latest(harness.crawlId), {
        last: { ...running, state: 'running', updatedAt: 7, finishedAt: null, summary: null },
        finished: null,
      })
      await audits.end(id, { state: 'finished', summary: SUMMARY }, 9)
      harness.store = await harness.store.reopen()
      const finished = { ...running, state: 'finished', updatedAt: 9, finishedAt: 9, summary: SUMMARY }
      assert.deepEqual(await harness.store.audits.latest(harness.crawlId), { last: finished, finished })
    })

    add('findings are read in order from any place', async (harness) => {
      await harness.start(['a/1'])
      const { audits } = harness.store
      const id = (await audits.begin(harness.crawlId, 1)) ?? 0
      const size = FINDINGS_PER_CHUNK
      assert.ok(await audits.add(id, 'r', 0, range(0, size)))
      assert.ok(await audits.add(id, 'r', 1, range(size, size + 3)))
      assert.ok(await audits.add(id, 'other', 0, range(900, 901)))
      assert.deepEqual(await audits.findings(id, 'r', 0, 2), range(0, 2))
      assert.deepEqual(await audits.findings(id, 'r', size - 2, 4), range(size - 2, size + 2))
      assert.deepEqual(await audits.findings(id, 'r', size, 100), range(size, size + 3))
      assert.deepEqual(await audits.findings(id, 'r', size + 3, 100), [])
      assert.deepEqual(await audits.findings(id, 'none', 0, 100), [])
    })

    add('a new audit cancels the one that runs, whose reports change nothing', async (harness) => {
      await harness.start(['a/1'])
      const { audits } = harness.store
      const first = (await audits.begin(harness.crawlId, 1)) ?? 0
      const second = (await audits.begin(harness.crawlId, 2)) ?? 0
      assert.equal(await audits.report(first, PROGRESS, 3), false)
      assert.equal(await audits.add(first, 'r', 0, range(0, 1)), false)
      await audits.end(first, { state: 'failed', problem: 'late' }, 3)
      assert.deepEqual(await audits.findings(first, 'r', 0, 9), [])
      const { last } = await audits.latest(harness.crawlId)
      assert.deepEqual([last?.id, last?.state], [second, 'running'])
    })

    add('the last finished audit stays until another one has finished', async (harness) => {
      await harness.start(['a/1'])
      const { audits } = harness.store
      const first = (await audits.begin(harness.crawlId, 1)) ?? 0
      await audits.add(first, 'r', 0, range(0, 1))
      await audits.end(first, { state: 'finished', summary: SUMMARY }, 2)
      const second = (await audits.begin(harness.crawlId, 3)) ?? 0
      await audits.end(second, { state: 'failed', problem: 'no\0disk' }, 4)
      const third = (await audits.begin(harness.crawlId, 5)) ?? 0
      assert.equal((await audits.latest(harness.crawlId)).finished?.id, first)
      assert.deepEqual(await audits.findings(first, 'r', 0, 9), range(0, 1))
      await audits.end(third, { state: 'finished', summary: SUMMARY }, 6)
      assert.equal((await audits.latest(harness.crawlId)).finished?.id, third)
      assert.deepEqual(await audits.findings(first, 'r', 0, 9), [])
    })

    add('an audit can be cancelled', async (harness) => {
      await harness.start(['a/1'])
      const { audits } = harness.store
      assert.equal(await audits.cancel(harness.crawlId, 1), false)
      const id = (await audits.begin(harness.crawlId, 1)) ?? 0
      assert.equal(await audits.cancel(harness.crawlId, 2), true)
      assert.equal(await audits.report(id, PROGRESS, 3), false)
      assert.equal((await audits.latest(harness.crawlId)).last?.state, 'cancelled')
      assert.equal(await audits.cancel('another', 2), false)
    })

    add('audits are removed with their crawl, and none begins meanwhile', async (harness) => {
      await harness.start(['a/1'])
      await harness.crawlAll({})
      const { audits, control } = harness.store
      const { crawlId } = harness
      const id = (await audits.begin(crawlId, 1)) ?? 0
      await audits.add(id, 'r', 0, range(0, 1))
      await control.remove(crawlId)
      assert.equal(await audits.begin(crawlId, 2), null)
      while (await control.removeNextBatch());
      assert.equal(await audits.add(id, 'r', 1, range(0, 1)), false)
      assert.deepEqual(await audits.findings(id, 'r', 0, 9), [])
      assert.deepEqual(await audits.latest(crawlId), { last: null, finished: null })
      await harness.start(['a/1'])
      assert.deepEqual(await audits.latest(harness.crawlId), { last: null, finished: null })
    })
  })
}
