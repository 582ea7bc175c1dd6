import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { silentLog } from '../../lib/log.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { CrawlRates } from '../background/crawl-rates.ts'
import { type ProgressJson, ProgressView } from '../views/progress-view.ts'
import { CrawlEvents } from './crawl-events.ts'
import { type CrawlListCache, createCrawlListCache } from './crawl-list-cache.ts'
import { notifyingControl, notifyingCrawls, StatusNotifier } from './status-notifier.ts'

describe('events', () => {
  let store: ReturnType<typeof makeTestStore>
  let crawlEvents: CrawlEvents
  let crawlList: CrawlListCache
  let reads: number
  let isStillValid: boolean
  let checks: number

  beforeEach(() => {
    store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    const { crawls, workers, clock } = store
    const progressView = new ProgressView({
      workers,
      clock,
      rates: new CrawlRates({ crawls, clock, log: silentLog }),
      localHoldReason: () => null,
    })
    reads = 0
    isStillValid = true
    checks = 0
    const list = () => {
      reads += 1
      return crawls.list()
    }
    const toJson = (progress: Parameters<ProgressView['progressJson']>[0]) => progressView.progressJson(progress)
    crawlList = createCrawlListCache({ list }, clock)
    crawlEvents = new CrawlEvents({ crawls: crawlList, toJson, clock, log: silentLog })
  })

  afterEach(async () => {
    crawlEvents.close()
    await store.close()
  })

  const create = () => store.crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  const listen = (intervalMs = 2000) => {
    const leave = new AbortController()
    const check = async () => {
      checks += 1
      return isStillValid
    }
    const reader = { intervalMs, signal: leave.signal, isStillValid: check }
    const texts = crawlEvents.stream(reader)[Symbol.asyncIterator]()
    const next = async () => String((await texts.next()).value)
    const progress = async () => {
      const lines = (await next()).trimEnd().split('\n')
      assert.match(lines[0] ?? '', /^id: \d+-\d+$/)
      assert.match(lines[1] ?? '', /^event: (crawl|removed)$/)
      return JSON.parse((lines[2] ?? '').replace(/^data: /, '')) as ProgressJson
    }
    return { next, progress, texts, leave: () => leave.abort() }
  }
  const pass = async (ms: number) => {
    for (let i = 0; i < ms; i += 250) {
      store.clock.advance(250)
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('start with the reconnection time and the running crawls', async () => {
    const { id } = await create()
    const resting = await create()
    await store.crawls.setPaused(resting.id, true)
    const { next, progress } = listen()
    assert.equal(await next(), 'retry: 2000\n\n')
    const first = await progress()
    assert.deepEqual([first.crawl_id, first.status], [id, 'running'])
  })

  it('report the progress of running crawls at the requested interval, and status changes immediately', async () => {
    const { id } = await create()
    const { next, progress } = listen(5000)
    await next()
    await progress()
    await store.crawls.setPaused(id, true)
    const event = progress()
    await pass(1000)
    assert.equal((await event).status, 'paused')
    const quiet = next()
    await pass(15_000)
    assert.equal(await quiet, ': still here\n\n')
  })

  it('report new and removed crawls', async () => {
    const { next, progress } = listen()
    const heartbeat = await next()
    assert.match(heartbeat, /^retry/)
    const event = progress()
    await pass(1000)
    const { id } = await create()
    await pass(1000)
    assert.equal((await event).crawl_id, id)
    await store.crawls.close(id, 'cancelled')
    const ended = progress()
    await pass(1000)
    assert.equal((await ended).status, 'cancelled')
    await store.control.remove(id)
    const gone = next()
    await pass(1000)
    assert.match(await gone, new RegExp(`event: removed\ndata: {"crawl_id":"${id}"}\n\n$`))
  })

  it('report every change of this process immediately, also changes that undo each other', async () => {
    const changes = new StatusNotifier(store.crawls, silentLog)
    changes.addListener({ onChanged: async () => crawlList.invalidate(), onRemoved: () => crawlList.invalidate() })
    changes.addListener(crawlEvents)
    const crawls = notifyingCrawls(store.crawls, changes)
    const { id } = await create()
    const { next, progress } = listen(60_000)
    await next()
    assert.equal((await progress()).status, 'running')
    for (const isPaused of [true, false]) {
      const event = progress()
      await crawls.setPaused(id, isPaused)
      assert.equal((await event).status, isPaused ? 'paused' : 'running')
    }
    const created = progress()
    const other = await crawls.create({ seeds: [foundUrl('b/')], settings: TEST_SETTINGS, keySeed: 2 })
    assert.equal((await created).crawl_id, other.id)
    await crawls.setPaused(other.id, true)
    assert.equal((await progress()).status, 'paused')
    const gone = next()
    await notifyingControl(store.control, changes).remove(other.id)
    assert.match(await gone, /event: removed/)
    // Polling finds nothing that has not been reported.
    const quiet = next()
    await pass(15_000)
    assert.equal(await quiet, ': still here\n\n')
  })

  it('stop checking the token when the server closes or the client leaves, although nobody reads on', async () => {
    const { next } = listen()
    const other = listen()
    await Promise.all([next(), other.next()])
    await pass(30_000)
    assert.equal(checks, 2)
    other.leave()
    assert.equal(crawlEvents.listenerCount, 1)
    crawlEvents.close()
    assert.equal(crawlEvents.listenerCount, 0)
    await pass(60_000)
    assert.equal(checks, 2)
  })

  it('end when the token of the client is revoked', async () => {
    const { next, texts } = listen()
    await next()
    isStillValid = false
    const rest = Array.fromAsync({ [Symbol.asyncIterator]: () => texts })
    await pass(30_000)
    assert.deepEqual(new Set(await rest), new Set([': still here\n\n']))
    assert.equal(crawlEvents.listenerCount, 0)
  })

  it('keep only the newest event for a slow client', async () => {
    const { id } = await create()
    const slow = listen(250)
    await slow.next()
    await slow.progress()
    await pass(10_000)
    await store.crawls.setPaused(id, true)
    await pass(1000)
    assert.equal((await slow.progress()).status, 'paused')
  })

  it('read the store once for all listeners, and not at all without listeners', async () => {
    await create()
    const listeners = [listen(), listen(), listen()]
    for (const { next, progress } of listeners) {
      await next()
      await progress()
    }
    reads = 0
    await pass(3000)
    assert.ok(reads <= 3, String(reads))
    for (const { leave, texts } of listeners) {
      leave()
      while (!(await texts.next()).done);
    }
    assert.equal(crawlEvents.listenerCount, 0)
    await pass(1000)
    reads = 0
    await pass(3000)
    assert.equal(reads, 0)
  })

  it('end after ten minutes, so that the client reconnects and is authorized again', async () => {
    const { texts, next } = listen()
    await next()
    let last = texts.next()
    for (let i = 0; i < 40; i++) {
      await pass(15_000)
      last = texts.next()
    }
    await pass(15_000)
    assert.equal((await last).done, true)
    assert.equal(crawlEvents.listenerCount, 0)
  })

  it('end when the server stops', async () => {
    const { next, texts } = listen()
    await next()
    const last = texts.next()
    crawlEvents.close()
    assert.equal((await last).done, true)
  })
})
