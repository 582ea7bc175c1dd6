// Monitors, protected documents and hits on every store.

import assert from 'node:assert/strict'
import {
  type Evidence,
  type ExaminedPage,
  type Finding,
  type HitFilter,
  MAX_DOCUMENTS,
  MAX_MONITORS,
  MAX_MUTED_URLS,
  MAX_PROTECTED_WORDS,
  type MonitorRow,
} from '../monitors.ts'
import { describeStore, type StoreHarness, type TestStore } from './testing/store-harness.ts'

const EVIDENCE: Evidence = { kind: 'value', before: null, after: 'nul \u0000 and 日本' }
const ALL: HitFilter = {
  monitorId: null,
  crawlId: null,
  url: null,
  isOpen: null,
  isMuted: null,
  before: null,
  limit: 100,
}

function monitor(id: string, changes: Partial<MonitorRow> = {}): MonitorRow {
  return {
    id,
    name: `Monitor ${id}`,
    rule: { kind: 'words', words: ['lamp', 'two words'] },
    crawlIds: [],
    include: [],
    exclude: ['/private/'],
    isMuted: false,
    createdAt: 1000,
    ...changes,
  }
}

function examined({ crawlId }: StoreHarness, changes: Partial<ExaminedPage> = {}): ExaminedPage {
  return {
    pageId: 1,
    crawlId,
    url: 'http://a.test/1',
    version: 1,
    title: 'One',
    visitedAt: 2000 * (changes.version ?? 1),
    ...changes,
  }
}

function finding(
  storeHarness: StoreHarness,
  page: Partial<ExaminedPage> = {},
  changes: Partial<Finding> = {},
): Finding {
  return { monitorId: 'm1', page: examined(storeHarness, page), state: 'x', evidence: EVIDENCE, at: 3000, ...changes }
}

export function monitorsContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: monitors`, makeStore, (add) => {
    add('monitors are stored, changed and removed, and survive a restart', async (storeHarness) => {
      const { monitors } = storeHarness.store
      const one = monitor('m1', { crawlIds: ['c1'], include: ['x'], rule: { kind: 'copies', minWords: 50 } })
      assert.ok(await monitors.add(one))
      assert.ok(await monitors.add(monitor('m2', { createdAt: 500 })))
      const before = await monitors.revision()
      assert.ok(await monitors.change('m2', { name: 'Other', isMuted: true, crawlIds: ['c2'] }))
      assert.ok(!(await monitors.change('m3', { name: 'Other' })))
      assert.ok((await monitors.revision()) > before)
      storeHarness.store = await storeHarness.store.reopen()
      const changed = monitor('m2', { createdAt: 500, name: 'Other', isMuted: true, crawlIds: ['c2'] })
      assert.deepEqual(await storeHarness.store.monitors.list(), [changed, one])
      assert.ok((await storeHarness.store.monitors.revision()) > before)
      assert.ok(await storeHarness.store.monitors.remove('m1'))
      assert.ok(!(await storeHarness.store.monitors.remove('m1')))
      assert.deepEqual(await storeHarness.store.monitors.list(), [changed])
    })

    add('there are at most so many monitors and muted URLs', async ({ store: { monitors } }) => {
      for (let i = 0; i < MAX_MONITORS; i++) assert.ok(await monitors.add(monitor(`m${i}`)))
      assert.ok(!(await monitors.add(monitor('more'))))
      for (let i = 0; i < MAX_MUTED_URLS; i++) assert.ok(await monitors.muteUrl('m1', `http://a.test/${i}`, true))
      assert.ok(!(await monitors.muteUrl('m1', 'http://a.test/more', true)))
      assert.ok(await monitors.muteUrl('m1', 'http://a.test/0', false))
      assert.ok(await monitors.muteUrl('m1', 'http://a.test/more', true))
    })

    add('protected documents belong to a monitor and have a limit', async (storeHarness) => {
      const { monitors, protectedDocuments } = storeHarness.store
      await monitors.add(monitor('m1'))
      const document = { id: 'd1', monitorId: 'm1', title: 'T', url: null, words: 3, addedAt: 5 }
      const before = await monitors.revision()
      assert.equal(await protectedDocuments.add({ ...document, text: 'a b\u0000c' }), 'added')
      assert.ok((await monitors.revision()) > before)
      assert.equal(await protectedDocuments.add({ ...document, id: 'd2', monitorId: 'm9', text: '' }), 'no_monitor')
      const large = { ...document, id: 'd3', words: MAX_PROTECTED_WORDS - 2, text: '' }
      assert.equal(await protectedDocuments.add(large), 'full')
      const page = { ...document, id: 'd4', url: 'http://a.test/', words: MAX_PROTECTED_WORDS - 3, addedAt: 6 }
      assert.equal(await protectedDocuments.add({ ...page, text: 'text' }), 'added')
      storeHarness.store = await storeHarness.store.reopen()
      const { protectedDocuments: documents } = storeHarness.store
      assert.deepEqual(await documents.list('m1'), [document, page])
      assert.match((await documents.text('d1')) ?? '', /^a b.c$/)
      assert.equal((await storeHarness.store.monitors.counts())['m1']?.words, MAX_PROTECTED_WORDS)
      assert.ok(await documents.remove('m1', 'd4'))
      assert.ok(!(await documents.remove('m2', 'd1')))
      assert.equal(await documents.text('d4'), null)
      assert.ok(MAX_DOCUMENTS > 0)
    })

    add('a page version makes one hit per monitor, however often it is examined', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { monitors, monitorHits } = storeHarness.store
      for (const id of ['m1', 'm2']) await monitors.add(monitor(id))
      const both = [finding(storeHarness), finding(storeHarness, {}, { monitorId: 'm2' })]
      assert.equal(await monitorHits.record(both), 2)
      assert.equal(await monitorHits.record(both), 0)
      // The numbers of versions start again if all of them have expired.
      assert.equal(
        await monitorHits.record([finding(storeHarness, { pageId: 9, visitedAt: 3000 }, { monitorId: 'm2' })]),
        1,
      )
      assert.equal(await monitorHits.record([finding(storeHarness, { pageId: 2, version: 2 })]), 1)
      // An older version, examined again.
      assert.equal(await monitorHits.record([finding(storeHarness)]), 0)
      storeHarness.store = await storeHarness.store.reopen()
      const { monitorHits: hits } = storeHarness.store
      assert.deepEqual(await hits.seen('http://a.test/1', ['m1', 'm3']), {
        m1: { visitedAt: 4000, pageId: 2, state: 'x' },
      })
      const [newest] = await hits.list(ALL)
      const { id, evidence, ...rest } = newest ?? assert.fail()
      assert.deepEqual(rest, {
        ...examined(storeHarness, { pageId: 2, version: 2 }),
        monitorId: 'm1',
        at: 3000,
        isMuted: false,
        acknowledgedAt: null,
      })
      assert.ok(evidence.kind === 'value' && evidence.after?.endsWith('and 日本'))
      assert.deepEqual(await hits.find(id), newest)
      assert.equal(await hits.find(999), null)
    })

    add('a version without a state forgets the one before, and hits of it stay single', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { monitors, monitorHits } = storeHarness.store
      await monitors.add(monitor('m1'))
      await monitorHits.record([finding(storeHarness)])
      const gone = finding(storeHarness, { pageId: 2, version: 2 }, { state: null, evidence: null })
      assert.equal(await monitorHits.record([gone]), 0)
      assert.deepEqual(await monitorHits.seen('http://a.test/1', ['m1']), {})
      assert.equal(await monitorHits.record([finding(storeHarness)]), 0)
      assert.equal((await monitorHits.list(ALL)).length, 1)
    })

    add('a new rule forgets what the old one has seen', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { monitors, monitorHits } = storeHarness.store
      await monitors.add(monitor('m1'))
      await monitorHits.record([finding(storeHarness)])
      await monitors.change('m1', { name: 'Same rule' })
      assert.ok('m1' in (await monitorHits.seen('http://a.test/1', ['m1'])))
      await monitors.change('m1', { rule: { kind: 'pattern', pattern: 'x' } })
      assert.deepEqual(await monitorHits.seen('http://a.test/1', ['m1']), {})
    })

    add('hits are listed newest first, by filter and page by page', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { monitors, monitorHits } = storeHarness.store
      for (const id of ['m1', 'm2']) await monitors.add(monitor(id))
      for (let i = 1; i <= 5; i++) {
        const monitorId = i === 3 ? 'm2' : 'm1'
        await monitorHits.record([finding(storeHarness, { pageId: i, url: `http://a.test/${i}` }, { monitorId })])
      }
      const pagesOf = async (changes: Partial<HitFilter>) =>
        (await monitorHits.list({ ...ALL, ...changes })).map(({ pageId }) => pageId)
      assert.deepEqual(await pagesOf({}), [5, 4, 3, 2, 1])
      assert.deepEqual(await pagesOf({ monitorId: 'm2' }), [3])
      assert.deepEqual(await pagesOf({ crawlId: storeHarness.crawlId, limit: 2 }), [5, 4])
      assert.deepEqual(await pagesOf({ crawlId: 'other' }), [])
      assert.deepEqual(await pagesOf({ url: 'http://a.test/2' }), [2])
      const [first] = await monitorHits.list({ ...ALL, limit: 1 })
      assert.deepEqual(await pagesOf({ before: first?.id ?? 0 }), [4, 3, 2, 1])
      const ids = (await monitorHits.list({ ...ALL, url: 'http://a.test/2' })).map(({ id }) => id)
      assert.equal(await monitorHits.acknowledge({ ids: [...ids, 12_345] }, 4000), 1)
      assert.equal(await monitorHits.acknowledge({ ids }, 5000), 0)
      assert.deepEqual(await pagesOf({ isOpen: false }), [2])
      assert.equal((await monitorHits.find(ids[0] ?? 0))?.acknowledgedAt, 4000)
      assert.equal(await monitorHits.acknowledge({ monitorId: 'm1', upTo: (first?.id ?? 0) - 1 }, 6000), 2)
      assert.deepEqual(await pagesOf({ isOpen: true }), [5, 3])
      const counts = (await monitors.counts())['m1']
      assert.deepEqual(
        [counts?.hits, counts?.openHits, counts?.lastHitAt, counts?.documents, counts?.mutedUrls],
        [4, 1, 3000, 0, []],
      )
    })

    add('hits of muted URLs and monitors are announced to nobody', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { monitors, monitorHits } = storeHarness.store
      for (const id of ['m1', 'm2']) await monitors.add(monitor(id, { isMuted: id === 'm2' }))
      await monitors.muteUrl('m1', 'http://a.test/2', true)
      assert.deepEqual((await monitors.counts())['m1']?.mutedUrls, ['http://a.test/2'])
      await monitorHits.record([
        finding(storeHarness),
        finding(storeHarness, { pageId: 2, url: 'http://a.test/2' }),
        finding(storeHarness, {}, { monitorId: 'm2' }),
      ])
      const waiting = await monitorHits.unannounced(10)
      assert.deepEqual(
        waiting.map(({ monitorId, pageId }) => [monitorId, pageId]),
        [['m1', 1]],
      )
      assert.equal((await monitorHits.list({ ...ALL, isMuted: true })).length, 2)
      await monitorHits.markAnnounced(waiting.map(({ id }) => id))
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await storeHarness.store.monitorHits.unannounced(10), [])
    })

    add('the oldest hits beyond the limits are deleted and counted, announced ones first', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      const { monitors, monitorHits } = storeHarness.store
      for (const id of ['m1', 'm2']) await monitors.add(monitor(id))
      const limits = { kept: 3, most: 5, checkEvery: 1 }
      const record = (pageId: number) =>
        monitorHits.record([finding(storeHarness, { pageId, version: pageId })], limits)
      const pages = async () => (await monitorHits.list({ ...ALL, monitorId: 'm1' })).map(({ pageId }) => pageId)
      const deleted = async () => {
        const { m1 } = await monitors.counts()
        return [m1?.deletedHits, m1?.droppedHits]
      }
      await monitorHits.record([finding(storeHarness, {}, { monitorId: 'm2' })], limits)
      for (const pageId of [1, 2, 3, 4, 5]) assert.equal(await record(pageId), 1)
      // Webhooks wait for all of them.
      assert.deepEqual(await pages(), [5, 4, 3, 2, 1])
      assert.deepEqual(await deleted(), [0, 0])
      await record(6)
      assert.deepEqual(await pages(), [6, 5, 4, 3, 2])
      assert.deepEqual(await deleted(), [1, 1])
      await monitorHits.markAnnounced((await monitorHits.unannounced(10)).map(({ id }) => id))
      await record(7)
      assert.deepEqual(await pages(), [7, 6, 5])
      assert.deepEqual(await deleted(), [4, 1])
      storeHarness.store = await storeHarness.store.reopen()
      const counts = await storeHarness.store.monitors.counts()
      assert.deepEqual([counts['m1']?.deletedHits, counts['m1']?.droppedHits, counts['m1']?.hits], [4, 1, 3])
      assert.deepEqual([counts['m2']?.deletedHits, counts['m2']?.hits], [0, 1])
    })

    add('hits go with their monitor or crawl, and nothing is added to them afterwards', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({})
      const { monitors, monitorHits, control } = storeHarness.store
      for (const id of ['m1', 'm2']) await monitors.add(monitor(id))
      await monitorHits.record([finding(storeHarness), finding(storeHarness, {}, { monitorId: 'm2' })])
      await monitors.remove('m2')
      assert.equal(await monitorHits.record([finding(storeHarness, { pageId: 2 }, { monitorId: 'm2' })]), 0)
      assert.equal((await monitorHits.list(ALL)).length, 1)
      await control.remove(storeHarness.crawlId)
      assert.equal(await monitorHits.record([finding(storeHarness, { pageId: 3, version: 3 })]), 0)
      while (await control.removeNextBatch());
      assert.deepEqual(await monitorHits.list(ALL), [])
      assert.deepEqual(await monitorHits.seen('http://a.test/1', ['m1']), {})
      assert.equal(await monitorHits.record([finding(storeHarness, { pageId: 4, version: 4 })]), 0)
      assert.equal((await monitors.counts())['m1']?.hits, 0)
      // The new crawl may get the row of the removed one.
      await storeHarness.start(['a/1'])
      assert.deepEqual(await monitorHits.list({ ...ALL, crawlId: storeHarness.crawlId }), [])
    })
  })
}
