// Policies of hosts, and URLs that are pushed with a priority.

import assert from 'node:assert/strict'
import { EMPTY_POLICY, type Policy } from '../../config/policies/policy.ts'
import { CRITICAL_PRIORITY } from '../control.ts'
import type { HostReport } from '../frontier.ts'
import type { Lease } from '../leases.ts'
import { HEALTHY_HOST } from '../leases.ts'
import { describeHarness, foundUrl, leaseOn, only, StoreHarness, type TestStore } from './testing/store-harness.ts'

class PoliciesHarness extends StoreHarness {
  set(...policies: (Partial<Policy> & { host: string })[]): Promise<void> {
    return this.store.policies.set(policies.map((policy) => ({ ...EMPTY_POLICY, ...policy })))
  }

  /** Reports all URLs of the lease as visited and releases it. */
  async finish(lease: Lease, hosts: HostReport[] = []): Promise<void> {
    const visits = lease.urls.map((url) => this.visitedReport(lease, url))
    await this.commit(visits, { release: [lease.token], hosts })
  }

  hostReport({ hostId }: Lease, changes: Partial<HostReport>): HostReport {
    const now = this.store.clock.now()
    return { hostId, nextAt: now, responseMs: 5, gapMs: 0, concurrencyLimit: null, health: HEALTHY_HOST, ...changes }
  }

  async reasons(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { state, reason } of await this.rows()) {
      const name = reason === null ? state : `${state} ${reason}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    return counts
  }
}

const names = (lease: Lease) => lease.urls.map(({ url }) => url)

const CASES: Record<string, (harness: PoliciesHarness) => Promise<void>> = {
  'policies are listed by host, replaced as a whole, and survive a crash': async (harness) => {
    await harness.set({ host: 'b.test', delayMs: 500, rate: 0.5, burst: 3 }, { host: '*.a.test', weight: 2.5 })
    await harness.set({ host: 'b.test', maxPages: 7, recrawlMinMs: 3_600_000, recrawlMaxMs: 86_400_000, perHost: 2 })
    const updatedAt = harness.store.clock.now()
    harness.store = await harness.store.reopen()
    const listed = await harness.store.policies.list()
    assert.deepEqual(listed, [
      { ...EMPTY_POLICY, host: '*.a.test', weight: 2.5, updatedAt },
      {
        ...EMPTY_POLICY,
        host: 'b.test',
        maxPages: 7,
        recrawlMinMs: 3_600_000,
        recrawlMaxMs: 86_400_000,
        perHost: 2,
        updatedAt,
      },
    ])
    assert.equal(await harness.store.policies.remove('b.test'), true)
    assert.equal(await harness.store.policies.remove('b.test'), false)
    assert.deepEqual(
      (await harness.store.policies.list()).map(({ host }) => host),
      ['*.a.test'],
    )
  },

  'a lease has the policy of its host, and others have none': async (harness) => {
    await harness.set({ host: 'a.test', delayMs: 700, perHost: 1 }, { host: '*.test', rate: 2, burst: 4 })
    await harness.start(['a/1', 'b/1'], { delayMs: 100, perHost: 3 })
    const { leases } = await harness.lease()
    assert.deepEqual(leaseOn(leases, 'a.test').policy, {
      delayMs: 700,
      perHost: 1,
      rate: { perSecond: 2, burst: 4 },
      isDelayFromPolicy: true,
    })
    assert.deepEqual(leaseOn(leases, 'b.test').policy, {
      delayMs: 100,
      perHost: 3,
      rate: { perSecond: 2, burst: 4 },
      isDelayFromPolicy: false,
    })
    assert.equal(leaseOn(leases, 'a.test').slots, 1)
    assert.equal(leaseOn(leases, 'b.test').slots, 3)
  },

  'without policies a lease has no policy': async (harness) => {
    await harness.start(['a/1'])
    assert.equal(only((await harness.lease()).leases).policy, null)
  },

  'a host with a rate, a delay or a maximum of pages is exclusive to one thread': async (harness) => {
    await harness.set({ host: 'a.test', rate: 5 }, { host: 'b.test', delayMs: 10 }, { host: 'c.test', maxPages: 9 })
    const urls = ['a', 'b', 'c', 'd'].flatMap((host) => [1, 2, 3].map((i) => `${host}/${i}`))
    await harness.start(urls, { perHost: 2 })
    const first = await harness.lease({ threadId: 'w-0', slotsPerHost: 1 })
    assert.deepEqual(first.leases.map(({ host, slots }) => [host, slots]).sort(), [
      ['a.test', 2],
      ['b.test', 2],
      ['c.test', 2],
      ['d.test', 1],
    ])
    const second = await harness.lease({ threadId: 'w-1', slotsPerHost: 1 })
    assert.deepEqual(second.leases, [])
  },

  'fewer slots of a policy hold over all crawls': async (harness) => {
    await harness.set({ host: 'a.test', perHost: 1 })
    const urls = Array.from({ length: 40 }, (_, i) => `a/${i}`)
    const first = await harness.start(urls, { perHost: 4 })
    await harness.start(urls, { perHost: 4 })
    const second = harness.crawl
    assert.equal(only((await harness.lease()).leases).slots, 1)
    harness.crawl = first
    assert.deepEqual((await harness.lease()).leases, [])
    harness.crawl = second
  },

  'a change has another version, and applies to the next lease': async (harness) => {
    await harness.start(['a/1', 'a/2'])
    const before = await harness.lease({ maxUrls: 1 })
    const lease = only(before.leases)
    assert.equal((await harness.lease({ maxUrls: 0 })).policiesVersion, before.policiesVersion)
    await harness.set({ host: '*', delayMs: 300 })
    const after = await harness.lease({ maxUrls: 0 })
    assert.notEqual(after.policiesVersion, before.policiesVersion)
    await harness.finish(lease)
    assert.equal(only((await harness.lease()).leases).policy?.delayMs, 300)
  },

  'the delay and the interval of a rate hold after a lease was lost and after a crash': async (harness) => {
    await harness.set({ host: 'a.test', delayMs: 5000 }, { host: 'b.test', rate: 0.1, burst: 5 })
    await harness.start(['a/1', 'a/2', 'b/1', 'b/2'])
    await harness.lease()
    harness.store.clock.advance(harness.store.leaseMs + 1)
    const lostAt = harness.store.clock.now()
    // The store notices the loss now.
    assert.deepEqual((await harness.lease()).leases, [])
    harness.store.clock.advance(5000)
    assert.equal(only((await harness.lease()).leases).host, 'a.test')
    harness.store.clock.advance(5000)
    const { leases } = await harness.lease({ threadId: 'w-1' })
    assert.ok(leaseOn(leases, 'b.test').nextAt >= lostAt + 10_000)
  },

  'a host gets no more pages than its policy allows, and the rest is excluded': async (harness) => {
    await harness.set({ host: 'a.test', maxPages: 3 })
    const urls = Array.from({ length: 10 }, (_, i) => `a/${i}`)
    await harness.start([...urls, 'b/1'])
    const { leases } = await harness.lease()
    await harness.finish(leaseOn(leases, 'b.test'))
    const lease = leaseOn(leases, 'a.test')
    assert.equal(lease.urls.length, 3)
    const [first, ...others] = lease.urls
    assert.ok(first)
    const failed = harness.endedReport(lease, first, { state: 'http_error', reason: 'http_500' })
    const visited = others.map((url) => harness.visitedReport(lease, url, ['a/new']))
    await harness.commit([failed, ...visited], { release: [lease.token] })
    await harness.crawlAll({})
    assert.deepEqual(await harness.reasons(), {
      visited: 4,
      'http_error http_500': 1,
      'excluded host_max_pages': 7,
    })
    assert.equal((await harness.progress()).crawl.status, 'completed')
  },

  'the pages of a host are counted again after a crash': async (harness) => {
    await harness.start(Array.from({ length: 40 }, (_, i) => `a/${i}`))
    await harness.finish(only((await harness.lease({ maxUrls: 5 })).leases))
    harness.store = await harness.store.reopen()
    await harness.set({ host: '*.test', maxPages: 8 })
    await harness.crawlAll({})
    assert.deepEqual(await harness.reasons(), { visited: 8, 'excluded host_max_pages': 32 })
  },

  'another thread claims nothing beyond the maximum while URLs are in flight': async (harness) => {
    await harness.set({ host: 'a.test', maxPages: 4 })
    await harness.start(
      Array.from({ length: 10 }, (_, i) => `a/${i}`),
      { perHost: 2 },
    )
    const lease = only((await harness.lease({ threadId: 'w-0', maxUrls: 2 })).leases)
    const more = await harness.lease({ threadId: 'w-0', topUp: [lease.token] })
    assert.equal(only(more.leases).urls.length, 2)
    assert.deepEqual((await harness.lease({ threadId: 'w-0', topUp: [lease.token] })).leases, [])
    assert.deepEqual((await harness.lease({ threadId: 'w-1' })).leases, [])
  },

  'hosts with a higher weight are leased first, also if the weight is set later': async (harness) => {
    await harness.start(['a/1', 'b/1', 'c/1'])
    await harness.set({ host: 'b.test', weight: 0.1 }, { host: 'a.test', weight: 0.5 })
    const order: string[] = []
    for (let i = 0; i < 3; i++) order.push(only((await harness.lease({ maxUrls: 1, maxHosts: 1 })).leases).host)
    assert.deepEqual(order, ['c.test', 'a.test', 'b.test'])
  },

  'the weight of a host that is found later counts': async (harness) => {
    await harness.set({ host: 'c.test', weight: 0.1 }, { host: 'b.test', weight: 5 })
    await harness.start(['a/1'])
    const lease = only((await harness.lease()).leases)
    const visits = lease.urls.map((url) => harness.visitedReport(lease, url, ['c/1', 'd/1', 'b/1']))
    await harness.commit(visits, { release: [lease.token] })
    const order: string[] = []
    for (let i = 0; i < 3; i++) order.push(only((await harness.lease({ maxUrls: 1, maxHosts: 1 })).leases).host)
    assert.deepEqual(order, ['b.test', 'd.test', 'c.test'])
  },

  'a critical URL is leased before all others': async (harness) => {
    await harness.set({ host: 'z.test', weight: 0.1 })
    await harness.start([...Array.from({ length: 20 }, (_, i) => `a/${i}`), 'b/1', 'c/1'])
    const added = await harness.store.control.addUrls(
      harness.crawlId,
      [foundUrl('z/1'), foundUrl('a/19'), foundUrl('b/1')],
      CRITICAL_PRIORITY,
    )
    assert.deepEqual(added, { added: 1, raised: 2 })
    const first: string[] = []
    for (let i = 0; i < 3; i++) {
      const lease = only((await harness.lease({ maxUrls: 1, maxHosts: 1 })).leases)
      first.push(...names(lease))
      await harness.finish(lease)
    }
    assert.deepEqual(first.sort(), ['http://a.test/19', 'http://b.test/1', 'http://z.test/1'])
  },

  'a pushed URL has the priority it was given, and a known one is never lowered': async (harness) => {
    await harness.start(['a/1'])
    const urls = [foundUrl('a/1'), foundUrl('a/2')]
    assert.deepEqual(await harness.store.control.addUrls(harness.crawlId, urls, 4), { added: 1, raised: 0 })
    const priorities = (await harness.rows()).map(({ url, priority }) => [url, priority])
    assert.deepEqual(priorities, [
      ['http://a.test/1', 10],
      ['http://a.test/2', 4],
    ])
    assert.deepEqual(await harness.store.control.addUrls(harness.crawlId, [foundUrl('a/3')], null), {
      added: 1,
      raised: 0,
    })
    assert.equal((await harness.progress()).ledger.queued, 3)
  },

  'a crawl that has ended takes no URLs': async (harness) => {
    await harness.start(['a/1'])
    await harness.crawlAll({})
    await assert.rejects(harness.store.control.addUrls(harness.crawlId, [foundUrl('a/2')], null), {
      code: 'CRAWL_CLOSED',
    })
  },

  'a watching crawl visits a pushed URL': async (harness) => {
    await harness.start(['a/1'], { recrawl: 3_600_000 })
    await harness.crawlAll({})
    assert.equal((await harness.progress()).crawl.status, 'watching')
    await harness.store.control.addUrls(harness.crawlId, [foundUrl('a/2')], CRITICAL_PRIORITY)
    assert.equal((await harness.progress()).crawl.status, 'running')
    assert.deepEqual(await harness.crawlAll({}), ['a/2'])
  },

  'the bounds of a policy decide when a URL is visited again': async (harness) => {
    await harness.set({ host: 'a.test', recrawlMaxMs: 60_000 }, { host: 'b.test', recrawlMinMs: 7_200_000 })
    await harness.start(['a/1', 'b/1', 'c/1'], { recrawl: 3_600_000 })
    await harness.crawlAll({})
    const dueAfter = async (ms: number) => {
      harness.store.clock.advance(ms)
      await harness.store.revisits.requeueDue(100)
      return (await harness.crawlAll({})).sort()
    }
    assert.deepEqual(await dueAfter(60_001), ['a/1'])
    assert.deepEqual(await dueAfter(3_600_000), ['a/1', 'c/1'])
    assert.deepEqual(await dueAfter(3_600_000), ['a/1', 'b/1', 'c/1'])
  },

  'a bound that is set later applies to visits that are planned already': async (harness) => {
    await harness.start(['a/1'], { recrawl: 30 * 86_400_000 })
    await harness.crawlAll({})
    await harness.set({ host: 'a.test', recrawlMaxMs: 3_600_000 })
    harness.store.clock.advance(7_200_000)
    for (let hasMore = true; hasMore; ) hasMore = (await harness.store.revisits.requeueDue(100)).hasMore
    assert.deepEqual(await harness.crawlAll({}), ['a/1'])
  },

  'visits are planned again only if a policy changes the bounds': async (harness) => {
    const { control, revisits, policies, clock } = harness.store
    await harness.start(['a/1'], { recrawl: 3_600_000 })
    await harness.crawlAll({})
    // The visit is put off, which a plan from the last visit would undo.
    await control.blockHost(harness.crawlId, 'a.test')
    clock.advance(3_600_001)
    assert.equal((await revisits.requeueDue(10)).requeued, 0)
    await control.unblockHost(harness.crawlId, 'a.test')
    const requeuedAfter = async (policy: Partial<Policy>) => {
      await harness.set({ host: 'a.test', ...policy })
      let requeued = 0
      for (let i = 0; i < 3; i++) requeued += (await revisits.requeueDue(10)).requeued
      return requeued
    }
    assert.equal(await requeuedAfter({ delayMs: 5 }), 0)
    assert.equal(await policies.remove('a.test'), true)
    assert.equal(await requeuedAfter({ weight: 2 }), 0)
    assert.equal(await requeuedAfter({ recrawlMaxMs: 3_000_000 }), 1)
  },

  'URLs beyond a maximum that is raised later are admitted by unblocking their host': async (harness) => {
    const { control } = harness.store
    await harness.set({ host: 'a.test', maxPages: 2 })
    await harness.start(['a/1', 'a/2', 'a/3', 'a/4', 'a/5'])
    await harness.crawlAll({})
    assert.deepEqual(await harness.reasons(), { visited: 2, 'excluded host_max_pages': 3 })
    await harness.set({ host: 'a.test', maxPages: 4 })
    assert.equal(await control.unblockHost(harness.crawlId, 'a.test'), 3)
    await harness.store.crawls.setPaused(harness.crawlId, false)
    await harness.crawlAll({})
    assert.deepEqual(await harness.reasons(), { visited: 4, 'excluded host_max_pages': 1 })
  },

  'a retry does not exceed the maximum of pages': async (harness) => {
    await harness.set({ host: 'a.test', maxPages: 2 })
    await harness.start(['a/1', 'a/2', 'a/3', 'a/4'], { recrawl: 3_600_000 })
    const lease = only((await harness.lease()).leases)
    const dueAt = harness.store.clock.now() + 10
    const retry = { state: 'retry', reason: 'http_503', dueAt } as const
    await harness.commit(lease.urls.map((url) => ({ ...harness.visitedReport(lease, url), outcome: retry })))
    const claimed = []
    for (let i = 0; i < 3; i++) {
      const { leases } = await harness.lease({ topUp: [lease.token], maxHosts: 0 })
      claimed.push(...leases.flatMap(({ urls }) => urls))
      harness.store.clock.advance(100)
    }
    assert.equal(claimed.length, 2)
  },

  'a page that comes and goes counts once towards the maximum of pages': async (harness) => {
    await harness.set({ host: 'a.test', maxPages: 2 })
    await harness.start(['a/1'], { recrawl: 3_600_000, recrawlMaxMs: 3_600_000 })
    await harness.crawlAll({})
    const freshness = { etag: null, lastModified: null, maxAgeMs: null, isUnchanged: false }
    for (const isGone of [true, false, true, false]) {
      harness.store.clock.advance(3_600_000)
      await harness.store.revisits.requeueDue(10)
      const lease = only((await harness.lease()).leases)
      const url = only(lease.urls)
      const report = isGone
        ? harness.endedReport(lease, url, { state: 'not_found', reason: null })
        : harness.visitedReport(lease, url)
      await harness.commit([{ ...report, freshness }], { release: [lease.token] })
    }
    await harness.store.control.addUrls(harness.crawlId, [foundUrl('a/2')], null)
    assert.deepEqual(await harness.crawlAll({}), ['a/2'])
  },
}

export function policiesContract(name: string, makeStore: () => Promise<TestStore>): void {
  const make = async () => new PoliciesHarness(await makeStore())
  describeHarness(`${name}: policies`, make, (add) => {
    for (const [title, run] of Object.entries(CASES)) add(title, run)
  })
}
