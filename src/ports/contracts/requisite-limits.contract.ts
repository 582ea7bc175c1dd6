// Requisites and limits on pages: they do not count as pages, and are visited after a limit is reached, linked or not.

import assert from 'node:assert/strict'
import { EMPTY_POLICY } from '../../config/policies/policy.ts'
import type { Lease } from '../leases.ts'
import { RequisitesHarness, type Site } from './testing/requisites-harness.ts'
import { describeHarness, only, type TestStore } from './testing/store-harness.ts'

const CASES: Record<string, (harness: RequisitesHarness) => Promise<void>> = {
  'do not count towards the page limit, and are visited after it is reached': async (harness) => {
    await harness.start(['a/'], { requisites: true, maxPages: 2 })
    const links = ['a/1', 'a/2', 'b/3', 'b/4']
    const page = (name: string) => ({ links, requisites: [`a/${name}-style`, `c/${name}-logo`] })
    const site: Site = { 'a/': page('0'), 'c/0-logo': { redirect: 'c/0-big' } }
    for (const name of ['1', '2']) site[`a/${name}`] = page(name)
    for (const name of ['3', '4']) site[`b/${name}`] = page(name)
    const order = await harness.crawlSite(site)
    assert.equal(order.filter((entry) => entry.endsWith(' page')).length, 2)
    const table = Object.entries(await harness.table())
    const requisites = table.filter(([, text]) => text.startsWith('requisite'))
    assert.equal(requisites.length, 5)
    assert.deepEqual(
      new Set(requisites.map(([, text]) => text)),
      new Set(['requisite 0 visited', 'requisite 0 redirected']),
    )
    assert.equal(table.filter(([, text]) => text.endsWith('excluded max_pages')).length, 3)
    const { ledger, requisites: visited, crawl } = await harness.progress()
    assert.deepEqual([ledger.visited, visited, crawl.status, crawl.reason], [6, 4, 'completed', 'max_pages'])
  },

  'are visited although a page limit leaves them out as pages': async (harness) => {
    const maximum = { ...EMPTY_POLICY, host: 'a.test', maxPages: 2 }
    for (const limit of ['max_pages', 'host_max_pages']) {
      await harness.store.policies.set(limit === 'max_pages' ? [] : [maximum])
      await harness.start(['a/'], { requisites: true, maxPages: limit === 'max_pages' ? 2 : null })
      const site: Site = {
        'a/': { links: ['a/1'], requisites: ['a/before'] },
        'a/1': {
          links: ['a/both', 'a/before', 'a/after', 'a/page'],
          requisites: ['a/both', 'b/css'],
        },
        'b/css': { requisites: ['a/after', 'b/moved'] },
        'b/moved': { redirect: 'a/both' },
      }
      await harness.crawlSite(site)
      const table = await harness.table()
      assert.equal(table['a/page'], `page 2 excluded ${limit}`, JSON.stringify(table))
      for (const name of ['a/before', 'a/both', 'a/after']) assert.equal(table[name], 'requisite 0 visited', limit)
      await harness.assertSound()
      const { ledger, requisites, crawl } = await harness.progress()
      assert.deepEqual([ledger.visited, requisites, ledger.excluded, crawl.status], [6, 4, 1, 'completed'])
    }
  },

  'are visited as well if a browser has received them': async (harness) => {
    await harness.start(['a/', 'b/'], { requisites: true, maxPages: 2 })
    const { leases } = await harness.lease()
    const [first, second] = leases
    if (first === undefined || second === undefined) assert.fail('two hosts have a page each')
    const visited = (lease: Lease, links: string[]) => harness.visitedReport(lease, only(lease.urls), links)
    await harness.commit([visited(first, ['c/before', 'c/page'])])
    const received = ['c/before', 'c/both'].map((name, i) => harness.subresource(second, name, i + 1))
    await harness.commit([visited(second, ['c/both'])], { subresources: received })
    await harness.crawlSite({})
    assert.deepEqual(await harness.table(), {
      'a/': 'page 0 visited',
      'b/': 'page 0 visited',
      'c/before': 'requisite 0 visited',
      'c/both': 'requisite 0 visited',
      'c/page': 'page 1 excluded max_pages',
    })
  },

  'become requisites again only if they are excluded as pages': async (harness) => {
    await harness.start(['a/'], { requisites: true, maxPages: 3 })
    await harness.crawlSite({ 'a/': { links: ['a/1', 'a/2'], requisites: ['a/1', 'a/2'] } })
    assert.deepEqual(await harness.table(), {
      'a/': 'page 0 visited',
      'a/1': 'page 1 visited',
      'a/2': 'page 1 visited',
    })
    const { ledger, requisites } = await harness.progress()
    assert.deepEqual([ledger.visited, requisites], [3, 0])
  },

  'do not count towards the page maximum of their host': async (harness) => {
    await harness.store.policies.set([{ ...EMPTY_POLICY, host: 'a.test', maxPages: 1 }])
    await harness.start(['a/'], { requisites: true })
    const order = await harness.crawlSite({ 'a/': { links: ['a/1', 'a/2'], requisites: ['a/x', 'a/y'] } })
    assert.deepEqual(order.toSorted(), ['a/ page', 'a/x requisite', 'a/y requisite'])
    assert.equal((await harness.progress()).ledger.excluded, 2)
  },

  'that become pages count towards the page maximum of their host once they are visited as such': async (harness) => {
    await harness.store.policies.set([{ ...EMPTY_POLICY, host: 'a.test', maxPages: 3 }])
    await harness.start(['a/'], { requisites: true })
    const links = ['a/x', 'a/2', 'a/3', 'a/4']
    const order = await harness.crawlSite({ 'a/': { links: ['a/1'], requisites: ['a/x', 'b/y'] }, 'a/1': { links } })
    assert.equal(order.filter((entry) => /^a.* page$/.test(entry)).length, 3, order.join())
    const { 'a/x': linked = '', ...table } = await harness.table()
    const others = Object.values(table)
    const visited = others.filter((text) => /^page \d visited$/.test(text)).length
    const left = others.filter((text) => text.endsWith('excluded host_max_pages')).length
    if (linked.startsWith('page')) assert.deepEqual([linked, visited, left], ['page 2 visited', 2, 3])
    else assert.deepEqual([linked, visited, left], ['requisite 0 visited', 3, 2])
  },
}

export function requisiteLimitsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeHarness(
    `${name}: requisites and limits on pages`,
    async () => new RequisitesHarness(await makeStore()),
    (add) => {
      for (const [title, run] of Object.entries(CASES)) add(title, run)
    },
  )
}
