// Tokens, webhooks, external crawlers and idempotency keys on every store.

import assert from 'node:assert/strict'
import type { Delivery, TokenRow, WebhookRow } from '../access.ts'
import { DOCUMENT_RETENTION_MS, MAX_TASK_ERRORS } from '../external.ts'
import { describeHarness, only, StoreHarness, type TestStore } from './testing/store-harness.ts'

const TOKEN: Omit<TokenRow, 'lastUsedAt'> = {
  id: 't1',
  name: 'laptop',
  scope: 'crawl',
  hash: 'ab12',
  createdAt: 1000,
  expiresAt: 9_000_000_000_000,
}
const WEBHOOK: Omit<WebhookRow, 'lastDelivery' | 'changesCursor'> = {
  id: 'h1',
  url: 'https://example.com/hook',
  events: ['crawl.completed', 'crawl.failed'],
  secret: 's3cret',
  createdAt: 1000,
  allowsPrivate: true,
}

class AccessBench extends StoreHarness {
  get now(): number {
    return this.store.clock.now()
  }

  get webhooks() {
    return this.store.access.webhooks
  }

  delivery(id: string, changes: Partial<Delivery> = {}): Delivery {
    const about = { webhookId: 'h1', event: 'crawl.completed', body: `{"id":"${id}"}` }
    return { id, ...about, attempts: 0, dueAt: this.now, ...changes }
  }

  outcome(status: number | null, problem: string | null = null) {
    return { at: this.now, status, problem }
  }

  async dueIds(): Promise<string[]> {
    return (await this.webhooks.claimDue(this.now, 30_000, 10)).map(({ id }) => id)
  }
}

export function accessContract(name: string, makeStore: () => Promise<TestStore>): void {
  const makeHarness = async () => new AccessBench(await makeStore())
  describeHarness(`tokens on ${name}`, makeHarness, (it) => {
    it('a token is listed until it is removed, even after a restart', async (harness) => {
      await harness.store.access.tokens.add(TOKEN)
      await harness.store.access.tokens.add({ ...TOKEN, id: 't2', createdAt: 900, expiresAt: null })
      await harness.store.access.tokens.recordUse('t1', 5000)
      harness.store = await harness.store.reopen()
      const { tokens } = harness.store.access
      const [older, newer] = await tokens.list()
      assert.deepEqual(newer, { ...TOKEN, lastUsedAt: 5000 })
      assert.deepEqual(older, { ...TOKEN, id: 't2', createdAt: 900, expiresAt: null, lastUsedAt: null })
      assert.equal(await tokens.remove('t1'), true)
      assert.equal(await tokens.remove('t1'), false)
      assert.equal(only(await tokens.list()).id, 't2')
    })

    it('the last use of a token never moves back', async (harness) => {
      const { tokens } = harness.store.access
      await tokens.add(TOKEN)
      await tokens.recordUse('t1', 5000)
      await tokens.recordUse('t1', 4000)
      assert.equal(only(await tokens.list()).lastUsedAt, 5000)
    })
  })

  describeHarness(`webhooks on ${name}`, makeHarness, (it) => {
    it('changes of pages are enqueued once, by the process that moves the webhook', async (harness) => {
      const { webhooks } = harness
      await webhooks.add(WEBHOOK)
      await webhooks.enqueueChanges('h1', { from: 0, to: 5 }, [harness.delivery('d1')])
      await webhooks.enqueueChanges('h1', { from: 0, to: 4 }, [harness.delivery('d2')])
      await webhooks.enqueueChanges('gone', { from: 0, to: 4 }, [harness.delivery('d3')])
      await webhooks.enqueueChanges('h1', { from: 5, to: 7 }, [])
      assert.equal(only(await webhooks.list()).changesCursor, 7)
      assert.deepEqual(await harness.dueIds(), ['d1'])
    })

    it('a webhook is listed until it is removed, even after a restart', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      harness.store = await harness.store.reopen()
      assert.deepEqual(await harness.webhooks.list(), [{ ...WEBHOOK, changesCursor: 0, lastDelivery: null }])
      assert.equal(await harness.webhooks.remove('h1'), true)
      assert.equal(await harness.webhooks.remove('h1'), false)
      assert.deepEqual(await harness.webhooks.list(), [])
    })

    it('a delivery is claimed by one caller at a time, when it is due', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      await harness.webhooks.enqueue([harness.delivery('d1'), harness.delivery('d2', { dueAt: harness.now + 1000 })])
      const dueAt = harness.now
      assert.deepEqual(await harness.webhooks.claimDue(harness.now, 30_000, 10), [harness.delivery('d1', { dueAt })])
      assert.deepEqual(await harness.dueIds(), [])
      harness.store.clock.advance(1000)
      assert.deepEqual(await harness.dueIds(), ['d2'])
    })

    it('a claim returns at most its limit, longest due first', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      await harness.webhooks.enqueue([
        harness.delivery('late', { dueAt: harness.now - 10 }),
        harness.delivery('later', { dueAt: harness.now - 20 }),
      ])
      assert.equal(only(await harness.webhooks.claimDue(harness.now, 30_000, 1)).id, 'later')
    })

    it('a delivery whose claimer died is due again, and the attempt counts', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      await harness.webhooks.enqueue([harness.delivery('d1')])
      await harness.webhooks.claimDue(harness.now, 30_000, 10)
      harness.store.clock.advance(29_999)
      assert.deepEqual(await harness.dueIds(), [])
      harness.store.clock.advance(1)
      assert.equal(only(await harness.webhooks.claimDue(harness.now, 30_000, 10)).attempts, 1)
    })

    it('a failed delivery is retried when due, and the webhook shows the result', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      await harness.webhooks.enqueue([harness.delivery('d1')])
      await harness.dueIds()
      const failed = harness.outcome(null, 'no answer')
      await harness.webhooks.recordDelivery('d1', failed, harness.now + 60_000)
      assert.deepEqual(only(await harness.webhooks.list()).lastDelivery, failed)
      harness.store.clock.advance(59_999)
      assert.deepEqual(await harness.dueIds(), [])
      harness.store.clock.advance(1)
      assert.equal(only(await harness.webhooks.claimDue(harness.now, 30_000, 10)).attempts, 1)
      const done = harness.outcome(204)
      await harness.webhooks.recordDelivery('d1', done, null)
      assert.deepEqual(only(await harness.webhooks.list()).lastDelivery, done)
      harness.store.clock.advance(60_000)
      assert.deepEqual(await harness.dueIds(), [])
    })

    it('a delivery is stored once, even after it is done', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      await harness.webhooks.enqueue([harness.delivery('d1')])
      await harness.webhooks.enqueue([harness.delivery('d1', { body: 'other' })])
      assert.equal(only(await harness.webhooks.claimDue(harness.now, 30_000, 10)).body, '{"id":"d1"}')
      await harness.webhooks.recordDelivery('d1', harness.outcome(200), null)
      harness.store.clock.advance(60_000)
      await harness.webhooks.enqueue([harness.delivery('d1')])
      assert.deepEqual(await harness.dueIds(), [])
    })

    it('removing a webhook deletes its deliveries, and none is stored for it later', async (harness) => {
      await harness.webhooks.add(WEBHOOK)
      await harness.webhooks.enqueue([harness.delivery('d1')])
      await harness.webhooks.remove('h1')
      await harness.webhooks.enqueue([harness.delivery('d2')])
      await harness.webhooks.add(WEBHOOK)
      assert.deepEqual(await harness.dueIds(), [])
    })
  })

  describeHarness(`external crawlers on ${name}`, makeHarness, (it) => {
    it('share one secret: the first offer', async (harness) => {
      const { external } = harness.store.access
      const told = await Promise.all(['one', 'two', 'three'].map((offer) => external.getOrCreateSecret(offer)))
      assert.equal(new Set(told).size, 1)
      assert.equal(await external.getOrCreateSecret('four'), told[0])
    })

    it('have their documents stored per visit, the latest of each, for a day', async (harness) => {
      const { external } = harness.store.access
      const visit = { crawlId: 'c', urlId: 7, attempts: 0 }
      assert.equal(await external.findDocument(visit), null)
      await external.saveDocument(visit, '{"a":1}', harness.now)
      await external.saveDocument(visit, '{"a":2}', harness.now)
      assert.equal(await external.findDocument(visit), '{"a":2}')
      assert.equal(await external.findDocument({ ...visit, attempts: 1 }), null)
      harness.store.clock.advance(DOCUMENT_RETENTION_MS + 1)
      await external.saveDocument({ ...visit, urlId: 8 }, '{}', harness.now)
      assert.equal(await external.findDocument(visit), null)
      assert.equal(await external.findDocument({ ...visit, urlId: 8 }), '{}')
    })

    it('have the last report of each indexer stored', async (harness) => {
      const { external } = harness.store.access
      const report = { crawlId: 'c', indexerId: 'i-1', status: 'in-progress', processedPages: 5, reportedAt: 1 }
      const other = { ...report, indexerId: 'i-2' }
      const later = { ...report, status: 'success', processedPages: 9, reportedAt: 2 }
      for (const each of [report, other, { ...report, crawlId: 'd' }, later]) await external.saveIndexerReport(each)
      assert.deepEqual(await external.listIndexerReports('c'), [later, other])
    })

    it('have the newest errors of their tasks stored', async (harness) => {
      const { external } = harness.store.access
      const taskErrors = { crawlId: 'c', url: 'http://a.test/', crawlerId: 'one', errors: '["slow"]', reportedAt: 0 }
      await external.addTaskErrors({ ...taskErrors, crawlId: 'd' })
      for (let reportedAt = 1; reportedAt <= MAX_TASK_ERRORS + 5; reportedAt += 1) {
        await external.addTaskErrors({ ...taskErrors, reportedAt })
      }
      const stored = await external.listTaskErrors('c')
      assert.equal(stored.length, MAX_TASK_ERRORS)
      assert.deepEqual(stored[0], { ...taskErrors, reportedAt: MAX_TASK_ERRORS + 5 })
      assert.equal((await external.listTaskErrors('d')).length, 1)
    })
  })

  describeHarness(`idempotency keys on ${name}`, makeHarness, (it) => {
    it('a key keeps its first response until it is deleted', async (harness) => {
      const { idempotencyKeys } = harness.store.access
      assert.equal(await idempotencyKeys.find('k'), null)
      await idempotencyKeys.save('k', { fingerprint: 'f', answer: '{"id":1}', at: harness.now })
      await idempotencyKeys.save('k', { fingerprint: 'g', answer: '{"id":2}', at: harness.now })
      assert.deepEqual(await idempotencyKeys.find('k'), { fingerprint: 'f', answer: '{"id":1}' })
      harness.store.clock.advance(1000)
      await idempotencyKeys.save('young', { fingerprint: 'f', answer: '{}', at: harness.now })
      await idempotencyKeys.deleteOlderThan(harness.now)
      assert.equal(await idempotencyKeys.find('k'), null)
      assert.notEqual(await idempotencyKeys.find('young'), null)
    })

    it('of many concurrent claims one gets the key, and the others get its response', async (harness) => {
      const { idempotencyKeys } = harness.store.access
      const claim = () => idempotencyKeys.claim('k', { fingerprint: 'f', at: harness.now, claimMs: 1000 })
      const states = await Promise.all(Array.from({ length: 8 }, claim))
      assert.equal(states.filter(({ kind }) => kind === 'yours').length, 1)
      assert.equal(states.filter(({ kind }) => kind === 'claimed').length, 7)
      assert.equal(await idempotencyKeys.find('k'), null)
      await idempotencyKeys.save('k', { fingerprint: 'f', answer: '{"id":1}', at: harness.now })
      harness.store.clock.advance(1000)
      assert.deepEqual(await claim(), { kind: 'answered', fingerprint: 'f', answer: '{"id":1}' })
      await idempotencyKeys.release('k')
      assert.notEqual(await idempotencyKeys.find('k'), null)
    })

    it('a claim that is released or too old is free again', async (harness) => {
      const { idempotencyKeys } = harness.store.access
      const claim = (fingerprint: string) => idempotencyKeys.claim('k', { fingerprint, at: harness.now, claimMs: 1000 })
      assert.equal((await claim('f')).kind, 'yours')
      await idempotencyKeys.release('k')
      assert.equal((await claim('g')).kind, 'yours')
      harness.store.clock.advance(999)
      assert.deepEqual(await claim('h'), { kind: 'claimed', fingerprint: 'g' })
      harness.store.clock.advance(1)
      assert.equal((await claim('h')).kind, 'yours')
    })
  })
}
