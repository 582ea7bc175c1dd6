import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { readHtml } from '../engine/parse/html-reader.ts'
import { silentLog } from '../lib/log.ts'
import { StoreHarness, type TestStore } from '../ports/contracts/testing/store-harness.ts'
import type { HitFilter, MonitorRule } from '../ports/monitors.ts'
import type { PageVersion } from '../ports/pages.ts'
import { makeTestStore } from '../store/testing/sqlite-test-store.ts'
import { addDocument, addMonitor } from './manage-monitors.ts'
import { MonitorExaminer } from './monitor-examiner.ts'

const ALL: HitFilter = {
  monitorId: null,
  crawlId: null,
  url: null,
  isOpen: null,
  isMuted: null,
  before: null,
  limit: 100,
}
const ARTICLE = Array.from({ length: 120 }, (_, i) => `word${i * 7919}x`).join(' ')

describe('the examiner of monitors', () => {
  let store: TestStore
  let storeHarness: StoreHarness
  let examiner: MonitorExaminer

  const newExaminer = () => {
    const { monitors, protectedDocuments: documents, monitorHits: hits, clock } = store
    return new MonitorExaminer({ monitors, documents, hits, clock, log: silentLog })
  }
  beforeEach(async () => {
    store = await makeTestStore({ leaseMs: 60_000, random: () => 0.5 })
    storeHarness = new StoreHarness(store)
    await storeHarness.start(['a/1'])
    examiner = newExaminer()
  })
  afterEach(() => store.close())

  const add = (rule: MonitorRule, changes: Partial<Parameters<typeof addMonitor>[1]> = {}) => {
    const draft = { name: rule.kind, rule, crawlIds: [], include: [], exclude: [], isMuted: false, ...changes }
    return addMonitor(store.monitors, draft, store.clock.now())
  }
  const versionOf = (number: number, changes: Partial<PageVersion> = {}) => {
    store.clock.advance(1000)
    const about = { id: number, version: number, crawlId: storeHarness.crawlId, url: 'http://a.test/1', title: 'T' }
    return { ...about, lang: 'en', visitedAt: store.clock.now(), ...changes } as PageVersion
  }
  const examine = async (version: PageVersion, html: string, by = examiner) => {
    if (!by.wants(version)) return
    await by.examine(version, { html, text: () => readHtml(html, true).text })
  }
  const hitPages = async () => (await store.monitorHits.list(ALL)).map(({ pageId }) => pageId)

  it('stores a hit of each kind of rule with its evidence', async () => {
    await add({ kind: 'words', words: ['lamp'] })
    await add({ kind: 'pattern', pattern: '\\d+ EUR' })
    await add({ kind: 'selector', selector: 'b', condition: { kind: 'above', limit: 10 } })
    const { id } = await add({ kind: 'copies', minWords: 50 })
    const document = { title: 'Article', url: 'http://other.test/', text: ARTICLE }
    const { monitors, protectedDocuments: documents } = store
    await addDocument({ monitors, documents }, id, { document, now: 1 })
    const copy = ARTICLE.split(' ').slice(20, 90).with(30, 'edited').join(' ')
    await examine(versionOf(1), `<p>A lamp for <b>12 EUR</b><p>${copy}`)
    const hits = await store.monitorHits.list(ALL)
    assert.deepEqual(hits.map(({ evidence }) => evidence.kind).toSorted(), ['copies', 'passages', 'passages', 'value'])
    const copied = hits.find(({ monitorId }) => monitorId === id)
    assert.ok(copied?.evidence.kind === 'copies')
    const [passage] = copied.evidence.copies
    assert.ok(passage !== undefined)
    const { onPage, inDocument, title, words, same } = passage
    assert.deepEqual([title, words, same], ['Article', 70, 69])
    const highlighted = [onPage, inDocument].map(({ text, highlights }) =>
      highlights.map(([start, end]) => text.slice(start, end)),
    )
    assert.deepEqual(highlighted, [['edited'], [ARTICLE.split(' ')[50]]])
  })

  it('examines a version again without a second hit, in any process', async () => {
    await add({ kind: 'words', words: ['lamp'] })
    const [first, second] = [versionOf(1), versionOf(2)]
    await examine(first, 'a lamp')
    await examine(first, 'a lamp')
    await examine(first, 'a lamp', newExaminer())
    await examine(second, 'another lamp here')
    await examine(first, 'a lamp', newExaminer())
    assert.deepEqual(await hitPages(), [2, 1])
  })

  it('watches the crawls and URLs it is told to, from its creation on', async () => {
    const before = versionOf(1)
    store.clock.advance(1)
    await add({ kind: 'words', words: ['lamp'] }, { include: ['/1$'], exclude: ['secret'] })
    await add({ kind: 'words', words: ['lamp'] }, { crawlIds: ['another'] })
    await examine(before, 'a lamp')
    await examine(versionOf(2, { url: 'http://a.test/2' }), 'a lamp')
    await examine(versionOf(3, { url: 'http://a.test/secret/1' }), 'a lamp')
    await examine(versionOf(4), 'a lamp')
    assert.deepEqual(await hitPages(), [4])
  })

  it('knows a monitor before the next version that was visited after its creation', async () => {
    await examine(versionOf(1), 'a lamp')
    const { id } = await add({ kind: 'words', words: ['lamp'] })
    await examine(versionOf(2), 'a lamp')
    await store.monitors.change(id, { rule: { kind: 'words', words: ['desk'] } })
    await examine(versionOf(3), 'a lamp on a desk')
    await store.monitors.remove(id)
    await examine(versionOf(4), 'a desk')
    assert.deepEqual(await hitPages(), [])
    assert.ok(!examiner.wants(versionOf(5, { visitedAt: 0 })))
  })

  it('finds copies of documents that were added or removed meanwhile', async () => {
    const { id } = await add({ kind: 'copies', minWords: 50 })
    await examine(versionOf(1), ARTICLE)
    const { monitors, protectedDocuments: documents } = store
    const document = { title: 'Article', url: null, text: ARTICLE }
    const { id: documentId } = await addDocument({ monitors, documents }, id, { document, now: 1 })
    await examine(versionOf(2), ARTICLE)
    await examine(versionOf(3), `${ARTICLE} more`)
    await documents.remove(id, documentId)
    await examine(versionOf(4, { url: 'http://a.test/4' }), ARTICLE)
    assert.deepEqual(await hitPages(), [2])
  })

  it('does not take the pages of a host for copies of its own documents', async () => {
    const { id } = await add({ kind: 'copies', minWords: 50 })
    const { monitors, protectedDocuments: documents } = store
    const document = { title: 'Article', url: 'http://a.test/article', text: ARTICLE }
    await addDocument({ monitors, documents }, id, { document, now: 1 })
    await examine(versionOf(1), ARTICLE)
    await examine(versionOf(2, { url: 'http://b.test/' }), ARTICLE)
    assert.deepEqual(await hitPages(), [2])
  })
})
