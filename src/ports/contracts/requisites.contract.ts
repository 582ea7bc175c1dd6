// Requisites of pages: URLs of the frontier that are no pages. They have one row each, and the limit on depth does not
// apply to them. Limits on pages: requisite-limits.contract.ts.

import assert from 'node:assert/strict'
import type { VisitReport } from '../visits.ts'
import { hashOf } from './testing/page-visits.ts'
import { RequisitesHarness, type Site } from './testing/requisites-harness.ts'
import { requeueAfter } from './testing/revisit-steps.ts'
import { describeHarness, foundUrl, only, type TestStore } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000

const CASES: Record<string, (harness: RequisitesHarness) => Promise<void>> = {
  'are visited once, whatever page names them, and have no depth of their own': async (harness) => {
    await harness.start(['a/'], { requisites: true, maxDepth: 1 })
    const site = {
      'a/': { links: ['a/1'], requisites: ['a/style', 'c/logo'] },
      'a/1': { links: ['a/2'], requisites: ['c/logo', 'a/style', 'a/deep'] },
      'a/style': { requisites: ['c/font', 'a/style'] },
    }
    const order = await harness.crawlSite(site)
    assert.deepEqual(order.toSorted(), [
      'a/ page',
      'a/1 page',
      'a/deep requisite',
      'a/style requisite',
      'c/font requisite',
      'c/logo requisite',
    ])
    assert.deepEqual(await harness.table(), {
      'a/': 'page 0 visited',
      'a/1': 'page 1 visited',
      'a/deep': 'requisite 0 visited',
      'a/style': 'requisite 0 visited',
      'c/font': 'requisite 0 visited',
      'c/logo': 'requisite 0 visited',
    })
    const { ledger, requisites, crawl } = await harness.progress()
    assert.deepEqual([ledger.visited, requisites, crawl.status, crawl.reason], [6, 4, 'completed', null])
  },

  'that become pages after --recrawl was turned off are counted as known pages': async (harness) => {
    await harness.start(['a/'], { requisites: true, recrawl: HOUR_MS })
    await harness.crawlSite({ 'a/': { requisites: ['b/x', 'b/y', 'b/gone'] }, 'b/gone': { state: 'not_found' } })
    await harness.commit([], { found: [foundUrl('z/')] })
    await harness.store.control.changeSettings(harness.crawlId, { recrawl: 'off' })
    await harness.commit([], { found: ['b/x', 'b/gone'].map(foundUrl) })
    await harness.assertSound()
    await harness.commit([], { found: [{ ...foundUrl('a/'), kind: 'sitemap' }] })
    await harness.assertSound()
    await harness.crawlSite({})
  },

  'a page that loads a known page changes nothing': async (harness) => {
    await harness.start(['a/'], { requisites: true })
    const order = await harness.crawlSite({
      'a/': { links: ['a/1'] },
      'a/1': { links: ['a/2'], requisites: ['a/', 'a/2'] },
    })
    assert.deepEqual(order, ['a/ page', 'a/1 page', 'a/2 page'])
    assert.equal((await harness.table())['a/2'], 'page 2 visited')
  },

  'a requisite that leads to a page does not change its depth': async (harness) => {
    await harness.start(['a/'], { requisites: true })
    const site = {
      'a/': { links: ['a/1'], requisites: ['b/x'] },
      'a/1': { links: ['a/2'] },
      'b/x': { redirect: 'a/2' },
      'a/2': { links: ['a/3'] },
    }
    await harness.crawlSite(site)
    assert.deepEqual(await harness.table(), {
      'a/': 'page 0 visited',
      'a/1': 'page 1 visited',
      'a/2': 'page 2 visited',
      'a/3': 'page 3 visited',
      'b/x': 'requisite 0 redirected',
    })
  },

  'requisites that redirect to each other are a loop': async (harness) => {
    await harness.start(['a/'], { requisites: true })
    await harness.crawlSite({ 'a/': { requisites: ['b/x'] }, 'b/x': { redirect: 'b/y' }, 'b/y': { redirect: 'b/x' } })
    const table = await harness.table()
    assert.equal(table['b/x'], 'requisite 0 redirected redirect_loop')
    assert.equal(table['b/y'], 'requisite 0 redirected redirect_loop')
  },

  'style sheets import each other over any number of levels': async (harness) => {
    await harness.start(['a/'], { requisites: true, maxDepth: 0 })
    const site: Site = { 'a/': { requisites: ['b/1'] } }
    for (let i = 1; i < 20; i++) site[`b/${i}`] = { requisites: [`b/${i + 1}`] }
    await harness.crawlSite(site)
    assert.equal((await harness.table())['b/20'], 'requisite 0 visited')
  },

  'style sheets redirect on every level of imports, ten times each': async (harness) => {
    await harness.start(['a/'], { requisites: true })
    const site: Site = { 'a/': { requisites: ['b/1'] } }
    for (let i = 1; i < 20; i++) {
      site[`b/${i}`] = { redirect: `b/${i}-moved` }
      site[`b/${i}-moved`] = { requisites: [`b/${i + 1}`] }
    }
    for (let i = 20; i < 40; i++) site[`b/${i}`] = { redirect: `b/${i + 1}` }
    await harness.crawlSite(site)
    const table = await harness.table()
    assert.equal(table['b/19-moved'], 'requisite 0 visited')
    assert.equal(table['b/29'], 'requisite 0 redirected too_many_redirects')
    assert.equal(table['b/30'], undefined)
  },

  'a chain of redirects of requisites ends': async (harness) => {
    await harness.start(['a/'], { requisites: true })
    const site: Site = { 'a/': { requisites: ['b/1'] } }
    for (let i = 1; i < 30; i++) site[`b/${i}`] = { redirect: `b/${i + 1}` }
    await harness.crawlSite(site)
    const table = await harness.table()
    assert.equal(table['b/10'], 'requisite 0 redirected too_many_redirects')
    assert.equal(table['b/11'], undefined)
  },

  'survive a crash': async (harness) => {
    await harness.start(['a/'], { requisites: true })
    const lease = only((await harness.lease()).leases)
    const page = harness.report(lease, only(lease.urls), { 'a/': { requisites: ['b/x', 'b/y'] } })
    await harness.commit([page], { release: [lease.token] })
    const taken = only((await harness.lease({ maxUrls: 1 })).leases)
    await harness.commit([harness.report(taken, only(taken.urls), {})])
    harness.store = await harness.store.reopen()
    harness.store.clock.advance(harness.store.leaseMs + 60_000)
    assert.equal((await harness.crawlSite({})).length, 1)
    const { ledger, requisites } = await harness.progress()
    assert.deepEqual([ledger.visited, requisites], [3, 2])
  },

  'that become pages have no history of their visits as requisites': async (harness) => {
    for (const when of ['visited', 'queued', 'in flight']) {
      await harness.start(['a/'], { requisites: true, recrawl: HOUR_MS })
      if (when === 'in flight') {
        await harness.visitWith('during', { 'a/': { requisites: ['b/x'] } }, [])
        await harness.visitWith('during', {}, [foundUrl('b/x')])
      } else {
        await harness.crawlSite({ 'a/': { requisites: ['b/x'] } })
        if (when === 'queued') await requeueAfter(harness, HOUR_MS)
        await harness.commit([], { found: [foundUrl('b/x')] })
      }
      const leased = (await harness.lease()).leases.flatMap(({ urls }) => urls)
      const { kind, lastVisit } = only(leased.filter(({ url }) => url === 'http://b.test/x'))
      assert.deepEqual([kind, lastVisit], ['page', null], when)
      assert.deepEqual(await harness.store.urls.verify(harness.crawlId), [], when)
      harness.store.clock.advance(harness.store.leaseMs + 60_000)
    }
  },

  'are visited again with --recrawl, and are no known pages': async (harness) => {
    await harness.start(['a/'], { requisites: true, recrawl: HOUR_MS, maxPages: 1 })
    const site: Site = { 'a/': { links: ['a/1'], requisites: ['b/x', 'b/y'] }, 'b/y': { redirect: 'b/z' } }
    await harness.crawlSite(site)
    const first = await harness.progress()
    assert.deepEqual([first.ledger.visited, first.requisites, first.crawl.status], [3, 2, 'watching'])
    assert.equal(await requeueAfter(harness, HOUR_MS), 4)
    const queued = await harness.progress()
    assert.deepEqual([queued.ledger.queued, queued.requisites], [4, 0])
    await harness.crawlSite(site)
    const second = await harness.progress()
    assert.deepEqual([second.ledger.visited, second.requisites, second.total], [3, 2, 5])
  },

  'a requisite that is named as a sitemap becomes one': async (harness) => {
    const map = { ...foundUrl('a/x'), kind: 'sitemap' as const }
    await harness.start(['a/'], { requisites: true })
    await harness.visitWith('during', { 'a/': { requisites: ['a/x', 'a/y'] } }, [])
    await harness.visitWith('during', {}, [map])
    assert.deepEqual(await harness.crawlSite({}), ['a/x sitemap'])
    const { sitemaps, requisites } = await harness.progress()
    assert.deepEqual([sitemaps, requisites], [1, 1])
  },
}

const SUBRESOURCES: Record<string, (harness: RequisitesHarness) => Promise<void>> = {
  'are visited requisites with a version, once per content': async (harness) => {
    await harness.start(['a/'])
    const lease = only((await harness.lease()).leases)
    const report = harness.report(lease, only(lease.urls), {})
    const retried: VisitReport = { ...report, outcome: { state: 'retry', reason: 'x', dueAt: 0 } }
    const first = [harness.subresource(lease, 'c/x', 1), harness.subresource(lease, 'a/y', 2)]
    const { added } = await harness.commit([retried], { subresources: first })
    assert.equal(added, 2)
    assert.deepEqual(await harness.table(), {
      'a/': 'page 0 queued',
      'a/y': 'requisite 0 visited',
      'c/x': 'requisite 0 visited',
    })
    await harness.commit([], { subresources: first })
    await harness.commit([], { subresources: [harness.subresource(lease, 'c/x', 3)] })
    harness.store = await harness.store.reopen()
    const contents = async (url: string) =>
      (await harness.store.pages.history(url)).map(({ contentHash }) => contentHash)
    assert.deepEqual(await contents('http://c.test/x'), [hashOf(1), hashOf(3)])
    assert.deepEqual(await contents('http://a.test/y'), [hashOf(2)])
    const [version] = await harness.store.pages.history('http://a.test/y')
    assert.deepEqual([version?.isRequisite, version?.record?.offset], [true, 200])
    const { ledger, requisites } = await harness.progress()
    assert.deepEqual([ledger.visited, requisites], [2, 2])
  },

  'may become redirects': async (harness) => {
    await harness.start(['a/'])
    const lease = only((await harness.lease()).leases)
    const subresource = harness.subresource(lease, 'c/x', 1)
    await harness.commit([], { subresources: [subresource] })
    const facts = { ...subresource.facts, contentHash: null, httpStatus: 302, redirectTo: 'http://c.test/y' }
    await harness.commit([], { subresources: [{ ...subresource, state: 'redirected', facts }] })
    assert.equal((await harness.table())['c/x'], 'requisite 0 redirected')
    assert.equal((await harness.progress()).requisites, 0)
  },

  'do not change a URL that is queued, or a page': async (harness) => {
    await harness.start(['a/', 'b/'], { requisites: true })
    const lease = only((await harness.lease({ maxUrls: 1 })).leases)
    const report = harness.report(lease, only(lease.urls), { 'a/': { links: ['c/1'], requisites: ['c/2'] } })
    const named = ['b/', 'c/1', 'c/2'].map((name, i) => harness.subresource(lease, name, i + 1))
    await harness.commit([report], { subresources: named, release: [lease.token] })
    const order = await harness.crawlSite({})
    assert.deepEqual(order.toSorted(), ['b/ page', 'c/1 page', 'c/2 requisite'])
    await harness.assertSound()
  },

  'of a late commit are not recorded': async (harness) => {
    await harness.start(['a/'])
    const lease = only((await harness.lease()).leases)
    harness.store.clock.advance(harness.store.leaseMs + 1)
    const report = harness.report(lease, only(lease.urls), {})
    const { late } = await harness.commit([report], { subresources: [harness.subresource(lease, 'c/x', 1)] })
    assert.equal(late, 1)
    assert.deepEqual(Object.keys(await harness.table()), ['a/'])
  },

  'that are linked later are visited as pages': async (harness) => {
    await harness.start(['a/', 'b/'])
    const lease = only((await harness.lease({ maxUrls: 1 })).leases)
    const report = harness.report(lease, only(lease.urls), {})
    await harness.commit([report], { subresources: [harness.subresource(lease, 'c/x', 1)], release: [lease.token] })
    assert.deepEqual(await harness.crawlSite({ 'b/': { links: ['c/x'] } }), ['b/ page', 'c/x page'])
    assert.equal((await harness.table())['c/x'], 'page 1 visited')
  },
}

const LINKED = ['before', 'during', 'after'] as const

export function requisitesContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeHarness(
    `${name}: requisites`,
    async () => new RequisitesHarness(await makeStore()),
    (add) => {
      for (const [title, run] of Object.entries(CASES)) add(title, run)
      for (const [title, run] of Object.entries(SUBRESOURCES)) add(`subresources of rendered pages ${title}`, run)

      for (const [state, site] of [
        ['visited', {}],
        ['redirected', { 'b/x': { redirect: 'b/y' } }],
      ] as const) {
        for (const when of LINKED) {
          for (const recrawl of ['off', HOUR_MS] as const) {
            const crawled = recrawl === 'off' ? 'crawl' : 'recrawled crawl'
            add(`one that is linked ${when} it is ${state} becomes a page of the ${crawled}`, async (harness) => {
              await harness.start(['a/', 'z/'], { requisites: true, recrawl })
              const first = only((await harness.lease({ maxUrls: 1 })).leases)
              const page = harness.report(first, only(first.urls), { 'a/': { requisites: ['b/x'] } })
              await harness.commit([page], { release: [first.token] })
              await harness.visitWith(when, site, [foundUrl('b/x')])
              const order = await harness.crawlSite(site)
              assert.deepEqual(order.includes('b/x page'), when !== 'before')
              const table = await harness.table()
              assert.equal(table['b/x'], `page 0 ${state}`)
              if (state === 'redirected') assert.equal(table['b/y'], 'page 0 visited')
              const progress = await harness.progress()
              assert.deepEqual([progress.ledger.visited, progress.requisites], [3, 0])
            })
          }
        }
      }

      add('one that is linked has the depth of the link, wherever it was found first', async (harness) => {
        for (const linkers of [['a/1'], ['b/1']]) {
          await harness.start(['a/', 'b/'], { requisites: true })
          const site: Site = {
            'a/': { links: ['a/1'] },
            'b/': { links: ['b/1'], requisites: ['c/x'] },
            'c/x': { links: ['c/2'] },
          }
          for (const linker of linkers) site[linker] = { links: ['c/x'], requisites: ['c/x'] }
          await harness.crawlSite(site)
          const table = await harness.table()
          assert.equal(table['c/x'], 'page 2 visited')
          assert.equal(table['c/2'], 'page 3 visited')
          await harness.assertSound()
        }
      })

      add('one that was not found stays so when it is linked', async (harness) => {
        await harness.start(['a/'], { requisites: true })
        const site: Site = { 'a/': { requisites: ['b/x', 'z/'] }, 'b/x': { state: 'not_found' } }
        await harness.visitWith('before', site, [])
        await harness.visitWith('after', site, [foundUrl('b/x')])
        assert.deepEqual(await harness.crawlSite(site), [])
        assert.equal((await harness.table())['b/x'], 'page 0 not_found')
      })
    },
  )
}
