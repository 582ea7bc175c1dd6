import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import { foundUrl, TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { CrawlRates } from '../background/crawl-rates.ts'
import { ChangeNotifier, notifyingCrawls } from '../live/change-notifier.ts'
import { ProgressView } from '../views/progress-view.ts'
import { openWebhookClient, type WebhookClient } from './webhook-client.ts'
import { retryWaitMs, WebhookSender } from './webhook-sender.ts'

interface Heard {
  headers: IncomingHttpHeaders
  body: string
}

describe('webhooks', () => {
  let store: ReturnType<typeof makeTestStore>
  let server: Server
  let url: string
  let heard: Heard[]
  let status: number
  let webhookClient: WebhookClient

  beforeEach(async () => {
    // The table notes changes of status by the time of the machine.
    store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    store.clock.advance(Date.now() - store.clock.now())
    heard = []
    status = 200
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      heard.push({ headers: request.headers, body })
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

  const newSender = (by = webhookClient) => {
    const { crawls, workers, clock, access } = store
    const teller = new ProgressView({
      ...{ workers, clock, rates: new CrawlRates({ crawls, clock, log: silentLog }) },
      localHoldReason: () => null,
    })
    const tell: ProgressView['progressJson'] = (progress) => teller.progressJson(progress)
    return new WebhookSender({ webhooks: access.webhooks, crawls, toJson: tell, client: by, clock, log: silentLog })
  }
  const add = (events: string[], id = 'h1') =>
    store.access.webhooks.add({
      ...{ id, url, events, secret: 'hush', allowsPrivate: false },
      createdAt: store.clock.now() - 1000,
    })
  const create = () => store.crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })
  const eventsHeard = () => heard.map(({ body }) => (JSON.parse(body) as { event: string }).event)
  const lastDelivery = async () => (await store.access.webhooks.list())[0]?.lastDelivery ?? null

  it('are called, signed, when a crawl changes', async () => {
    await add(['crawl.created', 'crawl.cancelled'])
    const sender = newSender()
    const { id } = await create()
    await sender.runOnce()
    await store.crawls.close(id, 'cancelled')
    await sender.runOnce()
    assert.deepEqual(eventsHeard(), ['crawl.created', 'crawl.cancelled'])
    const last = heard[1]
    assert.ok(last !== undefined)
    const told = JSON.parse(last.body) as { at: string; crawl: { crawl_id: string; status: string } }
    assert.deepEqual([told.crawl.crawl_id, told.crawl.status], [id, 'cancelled'])
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
    // One that starts later sees the same changes once more.
    await newSender().runOnce()
    assert.deepEqual(eventsHeard().toSorted(), ['crawl.created', 'crawl.paused'])
    await store.crawls.setPaused(id, false)
    for (const sender of senders) await sender.runOnce()
    assert.deepEqual(eventsHeard().slice(2), ['crawl.resumed'])
  })

  it('hear of every change that is made here, also of those that undo each other', async () => {
    await add(['crawl.paused', 'crawl.resumed'])
    const { id } = await create()
    const sender = newSender()
    const changes = new ChangeNotifier(store.crawls, silentLog)
    changes.addListener(sender)
    const crawls = notifyingCrawls(store.crawls, changes)
    await crawls.setPaused(id, true)
    await crawls.setPaused(id, false)
    await sender.runOnce()
    assert.deepEqual(eventsHeard().toSorted(), ['crawl.paused', 'crawl.resumed'])
  })

  it('are called while the call of another hangs', async () => {
    await add(['crawl.created'], 'hanging')
    await add(['crawl.paused'], 'h2')
    const called = Promise.withResolvers<void>()
    const sometimes: WebhookClient = {
      post: ({ headers }, signal) =>
        new Promise((resolve) => {
          if (headers['x-orbweaver-event'] === 'crawl.paused') called.resolve()
          signal.addEventListener('abort', () => resolve({ status: null, problem: 'unknown_error' }))
        }),
      close: () => undefined,
    }
    const { id } = await create()
    const sender = newSender(sometimes)
    sender.start()
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await store.crawls.setPaused(id, true)
    const pass = setInterval(() => store.clock.advance(1000), 1)
    await called.promise
    clearInterval(pass)
    await sender.stop()
  })

  it('hear only what they want, and nothing of before they were made', async () => {
    await create()
    store.clock.advance(10_000)
    await add(['crawl.created', 'crawl.paused'])
    const { id } = await create()
    await store.crawls.close(id, 'cancelled')
    await newSender().runOnce()
    assert.deepEqual(
      heard.map(({ body }) => (JSON.parse(body) as { crawl: { crawl_id: string } }).crawl.crawl_id),
      [id],
    )
  })

  it('are called again after a failure, later and later, for about a day', async () => {
    await add(['crawl.created'])
    const sender = newSender()
    status = 503
    await create()
    await sender.runOnce()
    assert.deepEqual(await lastDelivery(), { at: store.clock.now(), status: 503, problem: 'http_error' })
    store.clock.advance(9_000)
    await sender.runOnce()
    assert.equal(heard.length, 1)
    store.clock.advance(1_000)
    status = 200
    await sender.runOnce()
    assert.equal(heard.length, 2)
    assert.equal(heard[0]?.headers['x-orbweaver-delivery'], heard[1]?.headers['x-orbweaver-delivery'])
    store.clock.advance(3_600_000)
    await sender.runOnce()
    assert.equal(heard.length, 2)
    let waited = 0
    for (let attempts = 1, wait = retryWaitMs(1); wait !== null; wait = retryWaitMs(++attempts)) waited += wait
    assert.ok(waited > 20 * 3_600_000 && waited <= 24 * 3_600_000, String(waited))
  })

  it('that say they are gone are not called again, and redirects are not followed', async () => {
    await add(['crawl.created'])
    const sender = newSender()
    status = 302
    await create()
    await sender.runOnce()
    assert.deepEqual((await lastDelivery())?.problem, 'redirected')
    status = 410
    store.clock.advance(10_000)
    await sender.runOnce()
    assert.equal(heard.length, 2)
    store.clock.advance(3_600_000)
    await sender.runOnce()
    assert.equal(heard.length, 2)
  })

  it('are under the guard of addresses', async () => {
    await add(['crawl.created'])
    const guarded = openWebhookClient({ allowPrivate: false, allow: [] }, systemClock)
    await create()
    await newSender(guarded).runOnce()
    guarded.close()
    assert.equal(heard.length, 0)
    assert.deepEqual(await lastDelivery(), { at: store.clock.now(), status: null, problem: 'address_blocked' })
  })

  it('are judged by the address that a name stands for when they are called', async () => {
    const guarded = openWebhookClient({ allowPrivate: false, allow: [] }, systemClock)
    const { signal } = new AbortController()
    const call = { url: url.replace('127.0.0.1', 'localhost'), headers: {}, body: '{}' }
    const refused = await guarded.post({ ...call, allowsPrivate: false }, signal)
    assert.deepEqual(refused, { status: null, problem: 'address_blocked' })
    assert.equal(heard.length, 0)
    const lifted = await guarded.post({ ...call, url, allowsPrivate: true }, signal)
    assert.equal(lifted.status, 200)
    guarded.close()
  })

  it('that do not answer are given up soon', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const hasty = openWebhookClient({ allowPrivate: true, allow: [] }, systemClock, 50)
    const to = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const outcome = await hasty.post(
      { url: to, headers: {}, body: '{}', allowsPrivate: false },
      new AbortController().signal,
    )
    assert.deepEqual(outcome, { status: null, problem: 'timeout' })
    hasty.close()
    silent.close()
    silent.closeAllConnections()
  })

  it('stop in the middle of a call, which comes again', async () => {
    await add(['crawl.created'])
    await create()
    const under = Promise.withResolvers<void>()
    const hanging: WebhookClient = {
      post: (_call, signal) =>
        new Promise((resolve) => {
          under.resolve()
          signal.addEventListener('abort', () => resolve({ status: null, problem: 'unknown_error' }))
        }),
      close: () => undefined,
    }
    const sender = newSender(hanging)
    sender.start()
    await under.promise
    await sender.stop()
    assert.equal(await lastDelivery(), null)
    store.clock.advance(60_000)
    await newSender().runOnce()
    assert.equal(heard.length, 1)
  })
})
