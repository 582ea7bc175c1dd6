import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { Crawls } from '../../ports/crawls.ts'
import type { Frontier } from '../../ports/frontier.ts'
import type { Urls } from '../../ports/urls.ts'
import { openDatabase } from './open.ts'
import { openRecoveringServices, REBUILD_MS } from './recovering-services.ts'

it('a store on a full disk can be read meanwhile, and continues when there is space', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-full-'))
  const { db, close } = openDatabase(dir, { create: true, readOnly: false })
  t.after(() => {
    close()
    rmSync(dir, { recursive: true })
  })
  const clock = new ManualClock()
  const services = openRecoveringServices(db, { dir, clock, random: () => 0.5, leaseMs: 1000, create: true })
  const { crawls, frontier, urls } = services as unknown as { crawls: Crawls; frontier: Frontier; urls: Urls }
  const plan = { seeds: [foundUrl('a/1'), foundUrl('b/1')], settings: TEST_SETTINGS, keySeed: 1 }
  const { id } = await crawls.create(plan)
  const request = {
    crawlId: id,
    threadId: 'w',
    maxUrls: 9,
    maxHosts: 9,
    slotsPerHost: 1,
    topUp: [],
    patternsVersion: 0,
  }
  const { leases, wakeCount } = await frontier.lease(request)
  assert.equal(leases.length, 2)
  const waiting = frontier.waitForWork(60_000, wakeCount)

  const pages = Number(db.prepare('pragma page_count').get()?.['page_count'])
  db.exec(`pragma max_page_count = ${pages}`)
  const large = { ...plan, seeds: Array.from({ length: 500 }, (_, i) => foundUrl(`c/${i}`)) }
  await assert.rejects(crawls.create(large), { code: 'DISK_FULL' })
  assert.equal((await crawls.list()).length, 1)
  await assert.rejects(crawls.setPaused(id, true), { code: 'DISK_FULL' })

  clock.advance(REBUILD_MS)
  await assert.rejects(crawls.create(large), { code: 'DISK_FULL' })
  await waiting

  db.exec('pragma max_page_count = 100000')
  clock.advance(REBUILD_MS)
  await crawls.create(large)
  assert.equal((await crawls.list()).length, 2)
  // Earlier leases are gone: their URLs are granted again, and reports under them are rejected.
  const [lease] = leases
  assert.deepEqual(await frontier.renew([lease?.token ?? 0]), [lease?.token])
  clock.advance(60_000)
  assert.equal((await frontier.lease(request)).leases.length, 2)
  assert.deepEqual(await urls.verify(id), [])
})
