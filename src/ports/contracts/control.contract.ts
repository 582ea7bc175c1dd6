// Changes to running crawls: limits and blocked hosts.

import assert from 'node:assert/strict'
import { REMOVE_CASES } from './control.remove.contract.ts'
import { RetentionHarness } from './testing/retention-harness.ts'
import { describeHarness, foundUrl, leaseOn, only, StoreHarness, type TestStore } from './testing/store-harness.ts'

export class ControlHarness extends StoreHarness {
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

type SteeringCase = (harness: ControlHarness) => Promise<void>

const CHANGES: Record<string, SteeringCase> = {
  'changed settings are visible to everyone, and the others stay': async (b) => {
    await b.start(['a/'], { maxPages: 10 })
    const changed = await b.control.changeSettings(b.crawlId, { maxPages: 20, delayMs: 500, exclude: ['x'] })
    const { settings } = b.crawl ?? changed
    assert.deepEqual(changed.settings, { ...settings, maxPages: 20, delayMs: 500, exclude: ['x'] })
    assert.deepEqual((await b.store.crawls.find(b.crawlId)).settings, changed.settings)
    b.store = await b.store.reopen()
    assert.deepEqual((await b.store.crawls.find(b.crawlId)).settings, changed.settings)
  },

  'fixed settings do not change, and an unknown crawl is not found': async (b) => {
    await b.start(['a/'])
    const asked = { userAgent: 'other', retries: 7 }
    const { settings } = await b.control.changeSettings(b.crawlId, asked)
    assert.deepEqual([settings.userAgent, settings.retries], ['test', 7])
    await assert.rejects(b.control.changeSettings('nobody', {}), { code: 'CRAWL_NOT_FOUND' })
  },

  'a raised page limit continues where the lower one would have ended': async (b) => {
    await b.start(['a/1', 'a/2', 'a/3'], { maxPages: 2 })
    const first = only((await b.lease()).leases)
    assert.equal(first.urls.length, 2)
    await b.control.changeSettings(b.crawlId, { maxPages: null })
    await b.commit(
      first.urls.map((url) => b.visitedReport(first, url)),
      { release: [first.token] },
    )
    await b.crawlAll({})
    assert.deepEqual((await b.progress()).ledger.visited, 3)
    assert.equal(await b.status(), 'completed')
  },

  'a page limit lowered below the pages visited ends the crawl': async (b) => {
    await b.start(['a/1', 'a/2'])
    const lease = only((await b.lease({ maxUrls: 1 })).leases)
    await b.commit([b.visitedReport(lease, only(lease.urls))], { release: [lease.token] })
    await b.control.changeSettings(b.crawlId, { maxPages: 1 })
    for (let i = 0; i < 3; i++) assert.deepEqual((await b.lease()).leases, [])
    assert.deepEqual(await b.states(), { 'a/1': 'visited', 'a/2': 'excluded max_pages' })
    assert.equal(await b.status(), 'completed')
  },

  'a raised concurrency per host takes effect at once': async (b) => {
    await b.start(['a/1', 'a/2'], { perHost: 1 })
    const grant = () => b.lease({ maxUrls: 1, slotsPerHost: 2 })
    assert.equal((await grant()).leases.length, 1)
    assert.equal((await b.lease({ workerId: 'other', maxUrls: 1 })).leases.length, 0)
    await b.control.changeSettings(b.crawlId, { perHost: 2 })
    assert.equal((await b.lease({ workerId: 'other', maxUrls: 1 })).leases.length, 1)
  },

  'a raised depth limit admits deferred URLs': async (b) => {
    await b.start(['a/0', 'a/wait'], { maxDepth: 1 })
    const lease = only((await b.lease()).leases)
    const [seed, wait] = lease.urls
    assert.ok(seed !== undefined && wait !== undefined)
    await b.commit([b.visitedReport(lease, seed, ['a/1'])])
    const deeper = only((await b.lease({ topUp: [lease.token] })).leases)
    await b.commit([b.visitedReport(deeper, only(deeper.urls), ['a/2', 'b/2'])])
    assert.deepEqual(Object.keys(await b.states()).sort(), ['a/0', 'a/1', 'a/wait'])
    await b.control.changeSettings(b.crawlId, { maxDepth: 2 })
    assert.deepEqual(await b.depths(), { 'a/0': 0, 'a/wait': 0, 'a/1': 1, 'a/2': 2, 'b/2': 2 })
    await b.commit([b.visitedReport(lease, wait)], { release: [lease.token] })
    await b.crawlAll({ 'a/2': ['a/3'] })
    assert.equal(await b.status(), 'completed')
    assert.equal((await b.progress()).ledger.visited, 5)
  },

  'a raised depth limit admits all deferred URLs even if the process dies meanwhile': async (b) => {
    const pages = Array.from({ length: 450 }, (_, i) => `a/${i}`)
    await b.start(['s/0', ...pages], { maxDepth: 0 })
    // A seed of another host stays in flight, so that the crawl does not end.
    for (let left = 450; left > 0; ) {
      const lease = leaseOn((await b.lease()).leases, 'a.test')
      const visits = lease.urls.map((url) => b.visitedReport(lease, url, [`b${url.url.slice('http://a.test'.length)}`]))
      await b.commit(visits, { release: [lease.token] })
      left -= visits.length
    }
    const isDone = b.control.changeSettings(b.crawlId, { maxDepth: 1 }).then(
      () => true,
      () => false,
    )
    b.store = await b.store.reopen()
    await isDone
    const { settings } = await b.store.crawls.find(b.crawlId)
    if (settings.maxDepth === 0) await b.control.changeSettings(b.crawlId, { maxDepth: 1 })
    b.store.clock.advance(b.store.leaseMs)
    const order = await b.crawlAll({})
    assert.equal(order.length, 451)
    assert.equal((await b.progress()).ledger.visited, 901)
    assert.equal(await b.status(), 'completed')
  },

  'the ledger balances when failed URLs are retried while a raised limit admits others': async (b) => {
    const pages = Array.from({ length: 450 }, (_, i) => `a/${i}`)
    await b.start(['b/0', ...pages], { maxDepth: 0 })
    for (let left = 450; left > 100; ) {
      const { leases } = await b.lease()
      for (const lease of leases) {
        const visits = lease.urls.map((url) => {
          if (lease.host === 'b.test') return b.endedReport(lease, url, { state: 'failed', reason: 'dns' })
          return b.visitedReport(lease, url, [`c${url.url.slice('http://a.test'.length)}`])
        })
        await b.commit(visits, { release: [lease.token] })
        if (lease.host === 'a.test') left -= visits.length
      }
    }
    await b.store.crawls.setPaused(b.crawlId, true)
    await Promise.all([
      b.control.changeSettings(b.crawlId, { maxDepth: 1 }),
      b.store.crawls.retry(b.crawlId, 'failed'),
      b.lease(),
    ])
    await b.store.crawls.setPaused(b.crawlId, false)
    b.store.clock.advance(b.store.leaseMs)
    await b.crawlAll({})
    assert.equal(await b.status(), 'completed')
  },

  'URLs reported beyond the old limit after it was raised are admitted too': async (b) => {
    await b.start(['a/0'], { maxDepth: 0 })
    const lease = only((await b.lease()).leases)
    await b.control.changeSettings(b.crawlId, { maxDepth: 1 })
    await b.commit([b.visitedReport(lease, only(lease.urls), ['a/1'])], { release: [lease.token] })
    assert.deepEqual(await b.states(), { 'a/0': 'visited', 'a/1': 'queued' })
  },

  'URLs excluded for their depth are requeued by a raised limit or a shorter path, and by nothing else': async (b) => {
    await b.start(['a/0', 'b/0'])
    const { leases } = await b.lease()
    const [a, other] = [leaseOn(leases, 'a.test'), leaseOn(leases, 'b.test')]
    await b.commit([b.visitedReport(a, only(a.urls), ['a/1', 'c/1'])], { release: [a.token] })
    await b.control.changeSettings(b.crawlId, { maxDepth: 0 })
    assert.deepEqual((await b.lease()).leases, [])
    assert.deepEqual((await b.states())['c/1'], 'excluded depth')
    // Discovered at depth 0, as a sitemap of robots.txt would be.
    await b.commit([], { found: [foundUrl('c/1')] })
    assert.deepEqual([(await b.states())['c/1'], (await b.states())['a/1']], ['queued', 'excluded depth'])
    await b.control.changeSettings(b.crawlId, { maxDepth: 5 })
    assert.deepEqual([(await b.states())['c/1'], (await b.states())['a/1']], ['queued', 'queued'])
    await b.commit([b.visitedReport(other, only(other.urls))], { release: [other.token] })
    await b.crawlAll({})
    assert.equal(await b.status(), 'completed')
  },

  'a lowered depth limit excludes queued URLs beyond it, and the crawl ends with the last of them': async (b) => {
    await b.start(['a/0'])
    const lease = only((await b.lease()).leases)
    await b.commit([b.visitedReport(lease, only(lease.urls), ['a/1', 'a/2', 'b/1'])], { release: [lease.token] })
    const held = leaseOn((await b.lease()).leases, 'b.test')
    await b.control.changeSettings(b.crawlId, { maxDepth: 0 })
    // URLs in flight are still recorded; released ones are too deep by now.
    await b.commit([b.visitedReport(held, only(held.urls), ['b/2'])], { release: [held.token] })
    b.store.clock.advance(b.store.leaseMs)
    assert.deepEqual((await b.lease()).leases, [])
    const tooDeep = 'excluded depth'
    assert.deepEqual(await b.states(), { 'a/0': 'visited', 'a/1': tooDeep, 'a/2': tooDeep, 'b/1': 'visited' })
    assert.equal(await b.status(), 'completed')
  },
}

const HOSTS: Record<string, SteeringCase> = {
  'queued URLs of a blocked host are excluded, and URLs found later are never queued': async (b) => {
    await b.start(['a/1', 'b/1', 'b/2'])
    assert.equal(await b.control.blockHost(b.crawlId, 'B.test'), 2)
    assert.equal(await b.control.blockHost(b.crawlId, 'b.test'), 0)
    b.store = await b.store.reopen()
    assert.deepEqual(await b.crawlAll({ 'a/1': ['b/3', 'a/2'] }), ['a/1', 'a/2'])
    const blocked = 'excluded blocked_host'
    assert.deepEqual(await b.states(), {
      'a/1': 'visited',
      'a/2': 'visited',
      'b/1': blocked,
      'b/2': blocked,
      'b/3': blocked,
    })
    assert.equal(await b.status(), 'completed')
  },

  'a crawl whose last host is blocked completes at once': async (b) => {
    await b.start(['a/1', 'a/2'])
    await b.control.blockHost(b.crawlId, 'a.test')
    await b.lease()
    assert.equal(await b.status(), 'completed')
  },

  'URLs in flight when their host is blocked are recorded, and not requeued': async (b) => {
    await b.start(['a/1', 'a/2', 'a/3', 'a/4'])
    const lease = only((await b.lease({ maxUrls: 3 })).leases)
    const [done, again, back] = lease.urls
    assert.ok(done !== undefined && again !== undefined && back !== undefined)
    assert.equal(await b.control.blockHost(b.crawlId, 'a.test'), 1)
    assert.equal((await b.progress()).ledger.in_progress, 3)
    const retry = { state: 'retry', reason: 'timeout', dueAt: b.store.clock.now() + 60_000 } as const
    await b.commit([b.visitedReport(lease, done), b.endedReport(lease, again, retry)], { release: [lease.token] })
    assert.deepEqual((await b.lease()).leases, [])
    const blocked = 'excluded blocked_host'
    assert.deepEqual(await b.states(), { 'a/1': 'visited', 'a/2': blocked, 'a/3': blocked, 'a/4': blocked })
    assert.equal(await b.status(), 'completed')
  },

  'a host is blocked in its own crawl only': async (b) => {
    await b.start(['a/1'])
    await b.control.blockHost(b.crawlId, 'a.test')
    await b.start(['a/1'])
    assert.deepEqual(await b.crawlAll({}), ['a/1'])
  },

  'an unblocked host is crawled, even in a finished crawl': async (b) => {
    await b.start(['a/1', 'b/1'])
    await b.control.blockHost(b.crawlId, 'b.test')
    await b.crawlAll({ 'a/1': ['b/2'] })
    assert.equal(await b.status(), 'completed')
    assert.equal(await b.store.crawls.retry(b.crawlId, 'excluded'), 0)
    assert.equal(await b.control.unblockHost(b.crawlId, 'b.test'), 2)
    assert.equal(await b.control.unblockHost(b.crawlId, 'b.test'), 0)
    assert.equal(await b.status(), 'paused')
    await b.store.crawls.setPaused(b.crawlId, false)
    assert.deepEqual((await b.crawlAll({ 'b/1': ['b/3'] })).sort(), ['b/1', 'b/2', 'b/3'])
    assert.equal(await b.status(), 'completed')
  },

  'unblocking a host does not keep a crawl that has all its pages from ending': async (b) => {
    await b.start(['a/1', 'b/1'], { maxPages: 1 })
    await b.control.blockHost(b.crawlId, 'b.test')
    await b.crawlAll({})
    assert.equal(await b.control.unblockHost(b.crawlId, 'b.test'), 1)
    await b.store.crawls.setPaused(b.crawlId, false)
    assert.deepEqual(await b.crawlAll({}), [])
    assert.equal(await b.status(), 'completed')
    const { ledger } = await b.store.crawls.progress(b.crawlId)
    assert.deepEqual([ledger.visited, ledger.excluded, ledger.queued], [1, 1, 0])
  },

  'a host unblocked while the crawl runs is crawled with the rest': async (b) => {
    await b.start(['a/1', 'b/1'])
    await b.control.blockHost(b.crawlId, 'b.test')
    const lease = only((await b.lease()).leases)
    assert.equal(await b.control.unblockHost(b.crawlId, 'b.test'), 1)
    assert.equal(only((await b.lease({ workerId: 'other' })).leases).host, 'b.test')
    await b.commit([b.visitedReport(lease, only(lease.urls))], { release: [lease.token] })
    assert.equal(await b.status(), 'running')
  },

  'unblocking a host that is not blocked does not change a finished crawl': async (b) => {
    await b.start(['a/1'])
    await b.crawlAll({})
    const { finishedAt } = await b.store.crawls.find(b.crawlId)
    b.store.clock.advance(5000)
    assert.equal(await b.control.unblockHost(b.crawlId, 'a.test'), 0)
    const after = await b.store.crawls.find(b.crawlId)
    assert.deepEqual([after.status, after.finishedAt], ['completed', finishedAt])
  },

  'a cancelled crawl does not unblock hosts': async (b) => {
    await b.start(['a/1'])
    await b.control.blockHost(b.crawlId, 'b.test')
    await b.store.crawls.close(b.crawlId, 'cancelled')
    await assert.rejects(b.control.unblockHost(b.crawlId, 'b.test'), { code: 'CRAWL_CLOSED' })
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
