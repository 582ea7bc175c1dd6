// Changes to running crawls: limits and blocked hosts.

import assert from 'node:assert/strict'
import { REMOVE_CASES } from './control.remove.contract.ts'
import { RetentionHarness } from './testing/retention-harness.ts'
import { describeHarness, foundUrl, leaseOn, only, StoreHarness, type TestStore } from './testing/store-harness.ts'

class ControlHarness extends StoreHarness {
  get control() {
    return this.store.control
  }

  /** URLs by name, as `state` or `state reason`. */
  async states(): Promise<Record<string, string>> {
    const rows = await this.rows()
    return Object.fromEntries(
      rows.map(({ url, state, reason }) => [
        url.replace('http://', '').replace('.test/', '/'),
        reason === null ? state : `${state} ${reason}`,
      ]),
    )
  }

  async status(): Promise<string> {
    return (await this.progress()).crawl.status
  }
}

type ControlCase = (harness: ControlHarness) => Promise<void>

const CHANGES: Record<string, ControlCase> = {
  'changed settings are visible to everyone, and the others stay': async (harness) => {
    await harness.start(['a/'], { maxPages: 10 })
    const changed = await harness.control.changeSettings(harness.crawlId, {
      maxPages: 20,
      delayMs: 500,
      exclude: ['x'],
    })
    const { settings } = harness.crawl ?? changed
    assert.deepEqual(changed.settings, { ...settings, maxPages: 20, delayMs: 500, exclude: ['x'] })
    assert.deepEqual((await harness.store.crawls.find(harness.crawlId)).settings, changed.settings)
    harness.store = await harness.store.reopen()
    assert.deepEqual((await harness.store.crawls.find(harness.crawlId)).settings, changed.settings)
  },

  'fixed settings do not change, and an unknown crawl is not found': async (harness) => {
    await harness.start(['a/'])
    const asked = { userAgent: 'other', retries: 7 }
    const { settings } = await harness.control.changeSettings(harness.crawlId, asked)
    assert.deepEqual([settings.userAgent, settings.retries], ['test', 7])
    await assert.rejects(harness.control.changeSettings('nobody', {}), { code: 'CRAWL_NOT_FOUND' })
  },

  'a raised page limit continues where the lower one would have ended': async (harness) => {
    await harness.start(['a/1', 'a/2', 'a/3'], { maxPages: 2 })
    const first = only((await harness.lease()).leases)
    assert.equal(first.urls.length, 2)
    await harness.control.changeSettings(harness.crawlId, { maxPages: null })
    await harness.commit(
      first.urls.map((url) => harness.visitedReport(first, url)),
      { release: [first.token] },
    )
    await harness.crawlAll({})
    assert.deepEqual((await harness.progress()).ledger.visited, 3)
    assert.equal(await harness.status(), 'completed')
  },

  'a page limit lowered below the pages visited ends the crawl': async (harness) => {
    await harness.start(['a/1', 'a/2'])
    const lease = only((await harness.lease({ maxUrls: 1 })).leases)
    await harness.commit([harness.visitedReport(lease, only(lease.urls))], { release: [lease.token] })
    await harness.control.changeSettings(harness.crawlId, { maxPages: 1 })
    for (let i = 0; i < 3; i++) assert.deepEqual((await harness.lease()).leases, [])
    assert.deepEqual(await harness.states(), { 'a/1': 'visited', 'a/2': 'excluded max_pages' })
    assert.equal(await harness.status(), 'completed')
  },

  'a raised concurrency per host takes effect at once': async (harness) => {
    await harness.start(['a/1', 'a/2'], { perHost: 1 })
    const grant = () => harness.lease({ maxUrls: 1, slotsPerHost: 2 })
    assert.equal((await grant()).leases.length, 1)
    assert.equal((await harness.lease({ threadId: 'other', maxUrls: 1 })).leases.length, 0)
    await harness.control.changeSettings(harness.crawlId, { perHost: 2 })
    assert.equal((await harness.lease({ threadId: 'other', maxUrls: 1 })).leases.length, 1)
  },

  'a raised depth limit admits deferred URLs': async (harness) => {
    await harness.start(['a/0', 'a/wait'], { maxDepth: 1 })
    const lease = only((await harness.lease()).leases)
    const [seed, wait] = lease.urls
    assert.ok(seed !== undefined && wait !== undefined)
    await harness.commit([harness.visitedReport(lease, seed, ['a/1'])])
    const deeper = only((await harness.lease({ topUp: [lease.token] })).leases)
    await harness.commit([harness.visitedReport(deeper, only(deeper.urls), ['a/2', 'b/2'])])
    assert.deepEqual(Object.keys(await harness.states()).sort(), ['a/0', 'a/1', 'a/wait'])
    await harness.control.changeSettings(harness.crawlId, { maxDepth: 2 })
    assert.deepEqual(await harness.depths(), { 'a/0': 0, 'a/wait': 0, 'a/1': 1, 'a/2': 2, 'b/2': 2 })
    await harness.commit([harness.visitedReport(lease, wait)], { release: [lease.token] })
    await harness.crawlAll({ 'a/2': ['a/3'] })
    assert.equal(await harness.status(), 'completed')
    assert.equal((await harness.progress()).ledger.visited, 5)
  },

  'a raised depth limit admits all deferred URLs even if the process dies meanwhile': async (harness) => {
    const pages = Array.from({ length: 450 }, (_, i) => `a/${i}`)
    await harness.start(['s/0', ...pages], { maxDepth: 0 })
    // A seed of another host stays in flight, so that the crawl does not end.
    for (let left = 450; left > 0; ) {
      const lease = leaseOn((await harness.lease()).leases, 'a.test')
      const visits = lease.urls.map((url) =>
        harness.visitedReport(lease, url, [`b${url.url.slice('http://a.test'.length)}`]),
      )
      await harness.commit(visits, { release: [lease.token] })
      left -= visits.length
    }
    const isDone = harness.control.changeSettings(harness.crawlId, { maxDepth: 1 }).then(
      () => true,
      () => false,
    )
    harness.store = await harness.store.reopen()
    await isDone
    const { settings } = await harness.store.crawls.find(harness.crawlId)
    if (settings.maxDepth === 0) await harness.control.changeSettings(harness.crawlId, { maxDepth: 1 })
    harness.store.clock.advance(harness.store.leaseMs)
    const order = await harness.crawlAll({})
    assert.equal(order.length, 451)
    assert.equal((await harness.progress()).ledger.visited, 901)
    assert.equal(await harness.status(), 'completed')
  },

  'the ledger balances when failed URLs are retried while a raised limit admits others': async (harness) => {
    const pages = Array.from({ length: 450 }, (_, i) => `a/${i}`)
    await harness.start(['b/0', ...pages], { maxDepth: 0 })
    for (let left = 450; left > 100; ) {
      const { leases } = await harness.lease()
      for (const lease of leases) {
        const visits = lease.urls.map((url) => {
          if (lease.host === 'b.test') return harness.endedReport(lease, url, { state: 'failed', reason: 'dns' })
          return harness.visitedReport(lease, url, [`c${url.url.slice('http://a.test'.length)}`])
        })
        await harness.commit(visits, { release: [lease.token] })
        if (lease.host === 'a.test') left -= visits.length
      }
    }
    await harness.store.crawls.setPaused(harness.crawlId, true)
    await Promise.all([
      harness.control.changeSettings(harness.crawlId, { maxDepth: 1 }),
      harness.store.crawls.retry(harness.crawlId, 'failed'),
      harness.lease(),
    ])
    await harness.store.crawls.setPaused(harness.crawlId, false)
    harness.store.clock.advance(harness.store.leaseMs)
    await harness.crawlAll({})
    assert.equal(await harness.status(), 'completed')
  },

  'URLs reported beyond the old limit after it was raised are admitted too': async (harness) => {
    await harness.start(['a/0'], { maxDepth: 0 })
    const lease = only((await harness.lease()).leases)
    await harness.control.changeSettings(harness.crawlId, { maxDepth: 1 })
    await harness.commit([harness.visitedReport(lease, only(lease.urls), ['a/1'])], { release: [lease.token] })
    assert.deepEqual(await harness.states(), { 'a/0': 'visited', 'a/1': 'queued' })
  },

  'URLs excluded for their depth are requeued by a raised limit or a shorter path, and by nothing else': async (
    harness,
  ) => {
    await harness.start(['a/0', 'b/0'])
    const { leases } = await harness.lease()
    const [a, other] = [leaseOn(leases, 'a.test'), leaseOn(leases, 'b.test')]
    await harness.commit([harness.visitedReport(a, only(a.urls), ['a/1', 'c/1'])], { release: [a.token] })
    await harness.control.changeSettings(harness.crawlId, { maxDepth: 0 })
    assert.deepEqual((await harness.lease()).leases, [])
    assert.deepEqual((await harness.states())['c/1'], 'excluded depth')
    // Discovered at depth 0, as a sitemap of robots.txt would be.
    await harness.commit([], { found: [foundUrl('c/1')] })
    assert.deepEqual([(await harness.states())['c/1'], (await harness.states())['a/1']], ['queued', 'excluded depth'])
    await harness.control.changeSettings(harness.crawlId, { maxDepth: 5 })
    assert.deepEqual([(await harness.states())['c/1'], (await harness.states())['a/1']], ['queued', 'queued'])
    await harness.commit([harness.visitedReport(other, only(other.urls))], { release: [other.token] })
    await harness.crawlAll({})
    assert.equal(await harness.status(), 'completed')
  },

  'a lowered depth limit excludes queued URLs beyond it, and the crawl ends with the last of them': async (harness) => {
    await harness.start(['a/0'])
    const lease = only((await harness.lease()).leases)
    await harness.commit([harness.visitedReport(lease, only(lease.urls), ['a/1', 'a/2', 'b/1'])], {
      release: [lease.token],
    })
    const held = leaseOn((await harness.lease()).leases, 'b.test')
    await harness.control.changeSettings(harness.crawlId, { maxDepth: 0 })
    // URLs in flight are still recorded; released ones are too deep by now.
    await harness.commit([harness.visitedReport(held, only(held.urls), ['b/2'])], { release: [held.token] })
    harness.store.clock.advance(harness.store.leaseMs)
    assert.deepEqual((await harness.lease()).leases, [])
    const tooDeep = 'excluded depth'
    assert.deepEqual(await harness.states(), { 'a/0': 'visited', 'a/1': tooDeep, 'a/2': tooDeep, 'b/1': 'visited' })
    assert.equal(await harness.status(), 'completed')
  },
}

const HOSTS: Record<string, ControlCase> = {
  'queued URLs of a blocked host are excluded, and URLs found later are never queued': async (harness) => {
    await harness.start(['a/1', 'b/1', 'b/2'])
    assert.equal(await harness.control.blockHost(harness.crawlId, 'B.test'), 2)
    assert.equal(await harness.control.blockHost(harness.crawlId, 'b.test'), 0)
    harness.store = await harness.store.reopen()
    assert.deepEqual(await harness.crawlAll({ 'a/1': ['b/3', 'a/2'] }), ['a/1', 'a/2'])
    const blocked = 'excluded blocked_host'
    assert.deepEqual(await harness.states(), {
      'a/1': 'visited',
      'a/2': 'visited',
      'b/1': blocked,
      'b/2': blocked,
      'b/3': blocked,
    })
    assert.equal(await harness.status(), 'completed')
  },

  'a crawl whose last host is blocked completes at once': async (harness) => {
    await harness.start(['a/1', 'a/2'])
    await harness.control.blockHost(harness.crawlId, 'a.test')
    await harness.lease()
    assert.equal(await harness.status(), 'completed')
  },

  'URLs in flight when their host is blocked are recorded, and not requeued': async (harness) => {
    await harness.start(['a/1', 'a/2', 'a/3', 'a/4'])
    const lease = only((await harness.lease({ maxUrls: 3 })).leases)
    const [done, again, back] = lease.urls
    assert.ok(done !== undefined && again !== undefined && back !== undefined)
    assert.equal(await harness.control.blockHost(harness.crawlId, 'a.test'), 1)
    assert.equal((await harness.progress()).ledger.in_progress, 3)
    const retry = { state: 'retry', reason: 'timeout', dueAt: harness.store.clock.now() + 60_000 } as const
    await harness.commit([harness.visitedReport(lease, done), harness.endedReport(lease, again, retry)], {
      release: [lease.token],
    })
    assert.deepEqual((await harness.lease()).leases, [])
    const blocked = 'excluded blocked_host'
    assert.deepEqual(await harness.states(), { 'a/1': 'visited', 'a/2': blocked, 'a/3': blocked, 'a/4': blocked })
    assert.equal(await harness.status(), 'completed')
  },

  'a host is blocked in its own crawl only': async (harness) => {
    await harness.start(['a/1'])
    await harness.control.blockHost(harness.crawlId, 'a.test')
    await harness.start(['a/1'])
    assert.deepEqual(await harness.crawlAll({}), ['a/1'])
  },

  'an unblocked host is crawled, even in a finished crawl': async (harness) => {
    await harness.start(['a/1', 'b/1'])
    await harness.control.blockHost(harness.crawlId, 'b.test')
    await harness.crawlAll({ 'a/1': ['b/2'] })
    assert.equal(await harness.status(), 'completed')
    assert.equal(await harness.store.crawls.retry(harness.crawlId, 'excluded'), 0)
    assert.equal(await harness.control.unblockHost(harness.crawlId, 'b.test'), 2)
    assert.equal(await harness.control.unblockHost(harness.crawlId, 'b.test'), 0)
    assert.equal(await harness.status(), 'paused')
    await harness.store.crawls.setPaused(harness.crawlId, false)
    assert.deepEqual((await harness.crawlAll({ 'b/1': ['b/3'] })).sort(), ['b/1', 'b/2', 'b/3'])
    assert.equal(await harness.status(), 'completed')
  },

  'unblocking a host does not keep a crawl that has all its pages from ending': async (harness) => {
    await harness.start(['a/1', 'b/1'], { maxPages: 1 })
    await harness.control.blockHost(harness.crawlId, 'b.test')
    await harness.crawlAll({})
    assert.equal(await harness.control.unblockHost(harness.crawlId, 'b.test'), 1)
    await harness.store.crawls.setPaused(harness.crawlId, false)
    assert.deepEqual(await harness.crawlAll({}), [])
    assert.equal(await harness.status(), 'completed')
    const { ledger } = await harness.store.crawls.progress(harness.crawlId)
    assert.deepEqual([ledger.visited, ledger.excluded, ledger.queued], [1, 1, 0])
  },

  'a host unblocked while the crawl runs is crawled with the rest': async (harness) => {
    await harness.start(['a/1', 'b/1'])
    await harness.control.blockHost(harness.crawlId, 'b.test')
    const lease = only((await harness.lease()).leases)
    assert.equal(await harness.control.unblockHost(harness.crawlId, 'b.test'), 1)
    assert.equal(only((await harness.lease({ threadId: 'other' })).leases).host, 'b.test')
    await harness.commit([harness.visitedReport(lease, only(lease.urls))], { release: [lease.token] })
    assert.equal(await harness.status(), 'running')
  },

  'unblocking a host that is not blocked does not change a finished crawl': async (harness) => {
    await harness.start(['a/1'])
    await harness.crawlAll({})
    const { finishedAt } = await harness.store.crawls.find(harness.crawlId)
    harness.store.clock.advance(5000)
    assert.equal(await harness.control.unblockHost(harness.crawlId, 'a.test'), 0)
    const after = await harness.store.crawls.find(harness.crawlId)
    assert.deepEqual([after.status, after.finishedAt], ['completed', finishedAt])
  },

  'a cancelled crawl does not unblock hosts': async (harness) => {
    await harness.start(['a/1'])
    await harness.control.blockHost(harness.crawlId, 'b.test')
    await harness.store.crawls.close(harness.crawlId, 'cancelled')
    await assert.rejects(harness.control.unblockHost(harness.crawlId, 'b.test'), { code: 'CRAWL_CLOSED' })
  },
}

export function controlContract(name: string, makeStore: () => Promise<TestStore>): void {
  const makeHarness = async () => new ControlHarness(await makeStore())
  describeHarness(`${name}: changed settings`, makeHarness, (add) => {
    for (const [title, run] of Object.entries(CHANGES)) add(title, run)
  })
  describeHarness(`${name}: blocked hosts`, makeHarness, (add) => {
    for (const [title, run] of Object.entries(HOSTS)) add(title, run)
  })
  describeHarness(
    `${name}: crawls that are removed`,
    async () => new RetentionHarness(await makeStore()),
    (add) => {
      for (const [title, run] of Object.entries(REMOVE_CASES)) add(title, run)
    },
  )
}
