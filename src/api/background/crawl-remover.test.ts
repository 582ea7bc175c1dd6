import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { CrawlControl } from '../../ports/control.ts'
import type { NewCrawl } from '../../ports/crawls.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { startTestApi } from '../testing/test-api.ts'
import { CrawlRemover, MAX_WAIT_MS } from './crawl-remover.ts'

const URLS = 1200
const PLAN: NewCrawl = {
  seeds: Array.from({ length: URLS }, (_, i) => foundUrl(`a/${i}`)),
  settings: TEST_SETTINGS,
  keySeed: 1,
}

/** The wait does not end early on a slow machine. */
const PATIENT_CLOCK: Clock = {
  ...systemClock,
  after: (ms, then) => (ms === MAX_WAIT_MS ? () => undefined : systemClock.after(ms, then)),
}

async function makeStoreWithDeletedCrawl() {
  const store = makeTestStore({ leaseMs: 1000, random: Math.random })
  const { id } = await store.crawls.create(PLAN)
  await store.crawls.setPaused(id, true)
  await store.control.remove(id)
  return { store, left: () => Array.fromAsync(store.urls.rows(id)) }
}

describe('deleted crawls', () => {
  it('are removed when waitUntilRemoved returns true', async () => {
    const { store, left } = await makeStoreWithDeletedCrawl()
    const crawlRemover = new CrawlRemover({ control: store.control, clock: PATIENT_CLOCK, log: silentLog })
    assert.equal(await crawlRemover.waitUntilRemoved(), true)
    await assert.rejects(left(), { code: 'CRAWL_NOT_FOUND' })
    await crawlRemover.stop()
    await store.close()
  })

  it('from before the start are removed too', async () => {
    const { store, left } = await makeStoreWithDeletedCrawl()
    const crawlRemover = new CrawlRemover({ control: store.control, clock: systemClock, log: silentLog })
    crawlRemover.start()
    while (await store.control.removeNextBatch()) await turn()
    await assert.rejects(left(), { code: 'CRAWL_NOT_FOUND' })
    await crawlRemover.stop()
    await store.close()
  })

  it('do not delay the end of the process', async () => {
    const clock = new ManualClock()
    const batch = Promise.withResolvers<boolean>()
    const crawlRemover = new CrawlRemover({
      control: { removeNextBatch: () => batch.promise } as CrawlControl,
      clock,
      log: silentLog,
    })
    crawlRemover.start()
    await turn()
    const stopped = crawlRemover.stop()
    clock.advance(10_000)
    batch.resolve(true)
    await stopped
  })

  it('that take long do not block the caller, and are retried after a failure', async () => {
    const clock = new ManualClock()
    let batches = 3
    let fails = false
    const control = {
      async removeNextBatch() {
        if (fails) throw new Error('away')
        clock.advance(10)
        batches -= 1
        return batches > 0
      },
    }
    const crawlRemover = new CrawlRemover({ control, clock, log: silentLog })
    const isRemoved = crawlRemover.waitUntilRemoved()
    await turn()
    fails = true
    clock.advance(MAX_WAIT_MS)
    assert.equal(await isRemoved, false)
    const before = batches
    fails = false
    for (let i = 0; i < 100 && batches > 0; i++) {
      clock.advance(1000)
      await turn()
    }
    assert.ok(before > 0 && batches === 0)
    await crawlRemover.stop()
    assert.equal(clock.nextAt(), null)
  })
})

it('a large deleted crawl disappears immediately, and its URLs are removed after the response', async () => {
  const api = await startTestApi([], false)
  try {
    const urls = Array.from({ length: 10_000 }, (_, i) => `http://large.test/${i}`)
    const { crawl_id } = await api.client.createCrawl({ body: { urls } })
    const path = `/api/v1/crawls/${crawl_id}`
    await api.client.cancelCrawl({ params: { crawl_id } })
    const response = await api.request(path, { method: 'DELETE' })
    assert.deepEqual([response.status, await response.text()], [202, ''])
    assert.equal((await api.request(path)).status, 404)
    assert.equal((await api.request(path, { method: 'DELETE' })).status, 404)
    assert.deepEqual((await api.client.listCrawls()).items, [])
    const crawlControl = api.runtime.store.client.service<CrawlControl>('control')
    while (await crawlControl.removeNextBatch());
    const { crawl_id: small } = await api.client.createCrawl({ body: { url: 'http://small.test/' } })
    await api.client.pauseCrawl({ params: { crawl_id: small } })
    assert.equal((await api.request(`/api/v1/crawls/${small}`, { method: 'DELETE' })).status, 204)
  } finally {
    await api.close()
  }
})
