import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import { foundUrl, StoreHarness, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { CrawlRates } from '../background/crawl-rates.ts'
import { notifyingCrawls, StatusNotifier } from '../live/status-notifier.ts'
import { ProgressView } from '../views/progress-view.ts'
import { openWebhookClient, type WebhookClient } from './webhook-client.ts'
import { retryWaitMs, WebhookSender } from './webhook-sender.ts'

interface ReceivedCall {
  headers: IncomingHttpHeaders
  body: string
}

describe('webhooks', () => {
  let store: ReturnType<typeof makeTestStore>
  let server: Server
  let url: string
  let received: ReceivedCall[]
  let status: number
  let webhookClient: WebhookClient

  beforeEach(async () => {
    // The store records status changes by the system time.
    store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    store.clock.advance(Date.now() - store.clock.now())
    received = []
    status = 200
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      received.push({ headers: request.headers, body })
      response.writeHead(status, { location: '/elsewhere' }).end('thanks')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?x=1`
    webhookClient = openWebhookClient({ allowPrivate: false, allow: ['127.0.0.1'] }, systemClock)
  })

  afterEach(async () => {
    webhookClient.close()
    server.close()
    server.closeAllConnections()
    await store.close()
  })

  const newSender = (client = webhookClient) => {
    const { crawls, changes, workers, clock, access } = store
    const progressView = new ProgressView({
      workers,
      clock,
      rates: new CrawlRates({ crawls, clock, log: silentLog }),
      localHoldReason: () => null,
    })
    const toJson: ProgressView['progressJson'] = (progress) => progressView.progressJson(progress)
    return new WebhookSender({ webhooks: access.webhooks, crawls, changes, toJson, client, clock, log: silentLog })
  }
  const add = (events: string[], id = 'h1') =>
    store.access.webhooks.add({
      id,
      url,
      events,
      secret: 'hush',
      allowsPrivate: false,
      createdAt: store.clock.now() - 1000,
    })
  const create = () => store.crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  const receivedEvents = () => received.map(({ body }) => (JSON.parse(body) as { event: string }).event)
  const lastDelivery = async () => (await store.access.webhooks.list())[0]?.lastDelivery ?? null

  it('are called with a signature when a crawl changes', async () => {
    await add(['crawl.created', 'crawl.cancelled'])
    const sender = newSender()
    const { id } = await create()
    await sender.runOnce()
    await store.crawls.close(id, 'cancelled')
    await sender.runOnce()
    assert.deepEqual(receivedEvents(), ['crawl.created', 'crawl.cancelled'])
    const last = received[1]
    assert.ok(last !== undefined)
    const payload = JSON.parse(last.body) as { at: string; crawl: { crawl_id: string; status: string } }
    assert.deepEqual([payload.crawl.crawl_id, payload.crawl.status], [id, 'cancelled'])
    const signed = `${last.headers['x-orbweaver-timestamp']}.${last.body}`
    const expected = `sha256=${createHmac('sha256', 'hush').update(signed).digest('hex')}`
    assert.equal(last.headers['x-orbweaver-signature'], expected)
    assert.equal(last.headers['x-orbweaver-event'], 'crawl.cancelled')
    assert.deepEqual(await lastDelivery(), { at: store.clock.now(), status: 200, problem: null })
  })

  it('are called once for a change that several processes see', async () => {
    await add(['crawl.created', 'crawl.paused', 'crawl.resumed'])
    const senders = [newSender(), newSender()]
    const { id } = await create()
    await store.crawls.setPaused(id, true)
    for (const sender of senders) await sender.runOnce()
    // A sender that starts later sees the same changes again.
    await newSender().runOnce()
    assert.deepEqual(receivedEvents().toSorted(), ['crawl.created', 'crawl.paused'])
    await store.crawls.setPaused(id, false)
    for (const sender of senders) await sender.runOnce()
    assert.deepEqual(receivedEvents().slice(2), ['crawl.resumed'])
  })

  it('are called for every change of this process, also for changes that undo each other', async () => {
    await add(['crawl.paused', 'crawl.resumed'])
    const { id } = await create()
    const sender = newSender()
    const changes = new StatusNotifier(store.crawls, silentLog)
    changes.addListener(sender)
    const crawls = notifyingCrawls(store.crawls, changes)
    await crawls.setPaused(id, true)
    await crawls.setPaused(id, false)
    await sender.runOnce()
    assert.deepEqual(receivedEvents().toSorted(), ['crawl.paused', 'crawl.resumed'])
  })

  it('are called with changes of pages that were published since they were created', async () => {
    const { changeFeed, frontier, revisits, clock, crawls } = store
    const crawl = await crawls.create({
      seeds: [foundUrl('a/'), foundUrl('b/')],
      settings: { ...TEST_SETTINGS, recrawl: 1000 },
      keySeed: 1,
    })
    const visitAll = async (contentHash: string) => {
      const request = { crawlId: crawl.id, threadId: 'w', maxUrls: 9, maxHosts: 9, slotsPerHost: 1, topUp: [] }
      const { leases } = await frontier.lease({ ...request, patternsVersion: 0 })
      const harness = new StoreHarness(store)
      harness.crawl = crawl
      for (const lease of leases) {
        const visits = lease.urls.map((url) => {
          const report = harness.visitedReport(lease, url)
          return { ...report, facts: report.facts === null ? null : { ...report.facts, contentHash } }
        })
        await harness.commit(visits, { release: [lease.token] })
      }
      clock.advance(1000)
      await revisits.requeueDue(9)
    }
    const publish = async () => {
      const pending = await changeFeed.claim(9, 1000)
      const words = { wordsAdded: 1, wordsRemoved: 0, summary: 'More' }
      await changeFeed.finish(
        pending.map(({ id }) => ({ id, outcome: 'published', ...words })),
        [],
      )
    }
    await visitAll('01')
    await visitAll('02')
    await publish()
    await add(['page.changed', 'page.removed'])
    const senders = [newSender(), newSender()]
    for (const sender of senders) await sender.runOnce()
    assert.equal(received.length, 0)
    await visitAll('03')
    await publish()
    status = 500
    for (const sender of senders) await sender.runOnce()
    status = 200
    clock.advance(10_000)
    for (const sender of senders) await sender.runOnce()
    assert.deepEqual(receivedEvents(), ['page.changed', 'page.changed'])
    assert.equal(received[0]?.body, received[1]?.body)
    const { changes } = JSON.parse(received[0]?.body ?? '') as { changes: { url: string; cursor: number }[] }
    assert.deepEqual(changes.map(({ url, cursor }) => [url, cursor]).toSorted(), [
      ['http://a.test/', 3],
      ['http://b.test/', 4],
    ])
  })

  it('are called while the call to another one hangs', async () => {
    await add(['crawl.created'], 'hanging')
    await add(['crawl.paused'], 'h2')
    const called = Promise.withResolvers<void>()
    const hanging: WebhookClient = {
      post: ({ headers }, signal) =>
        new Promise((resolve) => {
          if (headers['x-orbweaver-event'] === 'crawl.paused') called.resolve()
          signal.addEventListener('abort', () => resolve({ status: null, problem: 'unknown_error' }))
        }),
      close: () => undefined,
    }
    const { id } = await create()
    const sender = newSender(hanging)
    sender.start()
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await store.crawls.setPaused(id, true)
    const advanceTime = setInterval(() => store.clock.advance(1000), 1)
    await called.promise
    clearInterval(advanceTime)
    await sender.stop()
  })

  it('are called only for their events, and not for changes before their creation', async () => {
    await create()
    store.clock.advance(10_000)
    await add(['crawl.created', 'crawl.paused'])
    const { id } = await create()
    await store.crawls.close(id, 'cancelled')
    await newSender().runOnce()
    assert.deepEqual(
      received.map(({ body }) => (JSON.parse(body) as { crawl: { crawl_id: string } }).crawl.crawl_id),
      [id],
    )
  })

  it('are retried after a failure with growing delays for about a day', async () => {
    await add(['crawl.created'])
    const sender = newSender()
    status = 503
    await create()
    await sender.runOnce()
    assert.deepEqual(await lastDelivery(), { at: store.clock.now(), status: 503, problem: 'http_error' })
    store.clock.advance(9_000)
    await sender.runOnce()
    assert.equal(received.length, 1)
    store.clock.advance(1_000)
    status = 200
    await sender.runOnce()
    assert.equal(received.length, 2)
    assert.equal(received[0]?.headers['x-orbweaver-delivery'], received[1]?.headers['x-orbweaver-delivery'])
    store.clock.advance(3_600_000)
    await sender.runOnce()
    assert.equal(received.length, 2)
    let waited = 0
    for (let attempts = 1, wait = retryWaitMs(1); wait !== null; wait = retryWaitMs(++attempts)) waited += wait
    assert.ok(waited > 20 * 3_600_000 && waited <= 24 * 3_600_000, String(waited))
  })

  it('are not retried after 410, and redirects are not followed', async () => {
    await add(['crawl.created'])
    const sender = newSender()
    status = 302
    await create()
    await sender.runOnce()
    assert.deepEqual((await lastDelivery())?.problem, 'redirected')
    status = 410
    store.clock.advance(10_000)
    await sender.runOnce()
    assert.equal(received.length, 2)
    store.clock.advance(3_600_000)
    await sender.runOnce()
    assert.equal(received.length, 2)
  })

  it('are subject to the address guard', async () => {
    await add(['crawl.created'])
    const guarded = openWebhookClient({ allowPrivate: false, allow: [] }, systemClock)
    await create()
    await newSender(guarded).runOnce()
    guarded.close()
    assert.equal(received.length, 0)
    assert.deepEqual(await lastDelivery(), { at: store.clock.now(), status: null, problem: 'address_blocked' })
  })

  it('are checked by the address that their name resolves to at the time of the call', async () => {
    const guarded = openWebhookClient({ allowPrivate: false, allow: [] }, systemClock)
    const { signal } = new AbortController()
    const call = { url: url.replace('127.0.0.1', 'localhost'), headers: {}, body: '{}' }
    const blocked = await guarded.post({ ...call, allowsPrivate: false }, signal)
    assert.deepEqual(blocked, { status: null, problem: 'address_blocked' })
    assert.equal(received.length, 0)
    const allowed = await guarded.post({ ...call, url, allowsPrivate: true }, signal)
    assert.equal(allowed.status, 200)
    guarded.close()
  })

  it('that do not respond time out', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const impatient = openWebhookClient({ allowPrivate: true, allow: [] }, systemClock, 50)
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const outcome = await impatient.post(
      { url: silentUrl, headers: {}, body: '{}', allowsPrivate: false },
      new AbortController().signal,
    )
    assert.deepEqual(outcome, { status: null, problem: 'timeout' })
    impatient.close()
    silent.close()
    silent.closeAllConnections()
  })

  it('can stop during a call, which is repeated later', async () => {
    await add(['crawl.created'])
    await create()
    const started = Promise.withResolvers<void>()
    const hanging: WebhookClient = {
      post: (_call, signal) =>
        new Promise((resolve) => {
          started.resolve()
          signal.addEventListener('abort', () => resolve({ status: null, problem: 'unknown_error' }))
        }),
      close: () => undefined,
    }
    const sender = newSender(hanging)
    sender.start()
    await started.promise
    await sender.stop()
    assert.equal(await lastDelivery(), null)
    store.clock.advance(60_000)
    await newSender().runOnce()
    assert.equal(received.length, 1)
  })
})
