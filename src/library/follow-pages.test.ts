import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../lib/testing/manual-clock.ts'
import { hashOf, PAGE_REPORT } from '../ports/contracts/testing/page-visits.ts'
import { StoreHarness } from '../ports/contracts/testing/store-harness.ts'
import { openStore } from '../store/postgres/store.ts'
import { testOptions } from '../store/testing/postgres-test-store.ts'
import { makeTestDatabase } from '../store/testing/test-database.ts'
import { followPages } from './follow-pages.ts'

const LEASE_MS = 30_000
const HOUR_MS = 3_600_000

it('pages of another worker, whose ids may be lower, are read in the end', async (t) => {
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  const clock = new ManualClock(500_000 * HOUR_MS)
  const open = async () => {
    const store = await openStore(database.url, testOptions(clock, { leaseMs: LEASE_MS, random: () => 0.5 }))
    t.after(() => store.close())
    const reopen = () => assert.fail('is not reopened')
    return new StoreHarness({ ...store, clock, leaseMs: LEASE_MS, reopen })
  }
  const [worker, own] = [await open(), await open()]
  let visits = 0
  const visitOne = async (harness: StoreHarness) => {
    const { leases } = await harness.lease({ maxUrls: 1 })
    const [lease] = leases
    const url = lease?.urls[0]
    assert.ok(lease !== undefined && url !== undefined)
    const report = harness.visitedReport(lease, url, [])
    visits += 1
    if (report.facts !== null) report.facts.contentHash = hashOf(visits)
    const position = { segment: 's1', offset: visits * 100, length: 50 }
    report.page = { ...PAGE_REPORT, digest: hashOf(visits), position }
    await harness.commit([report], { release: [lease.token] })
  }
  // Each process reserves a block of page ids.
  await worker.start(['a/1', 'b/1'], { archive: 'html' })
  own.crawl = worker.crawl
  await visitOne(worker)
  await visitOne(own)
  const afterId = await own.store.pages.newestId()
  await own.start(['c/1', 'd/1'], { archive: 'html' })
  worker.crawl = own.crawl
  await visitOne(worker)
  await visitOne(own)
  const crawl = { crawlId: own.crawlId, pages: own.store.pages, afterId, knownIds: new Set<number>() }
  const followed = { ...crawl, isOver: () => true, hold: () => () => undefined }
  const urls = (await Array.fromAsync(followPages(followed))).map(({ url }) => new URL(url).host)
  assert.deepEqual(urls.sort(), ['c.test', 'd.test'])
})
