// How versions of a URL follow each other, and their near-duplicates.

import assert from 'node:assert/strict'
import type { Position } from '../archive.ts'
import type { PageVersion } from '../pages.ts'
import { archivedVisit, hashOf, PAGE_REPORT, repeatedPayload, visitEach } from './testing/page-visits.ts'
import { endAll, requeueAfter } from './testing/revisit-steps.ts'
import { only, type StoreHarness } from './testing/store-harness.ts'

const HOUR_MS = 3_600_000
const FINGERPRINT = 0xab_cdef_0123_4567n

function at(offset: number): Position {
  return { segment: 's1', offset, length: 10 }
}

function historyOf(storeHarness: StoreHarness): Promise<PageVersion[]> {
  return storeHarness.store.pages.history('http://a.test/1')
}

async function changesOf(storeHarness: StoreHarness): Promise<number[]> {
  return (await historyOf(storeHarness)).map(({ changes }) => changes)
}

export const VERSION_CASES: Record<string, (storeHarness: StoreHarness) => Promise<void>> = {
  'a page that is only compressed differently has not changed': async (storeHarness) => {
    const contentHash = hashOf(7)
    await visitEach(storeHarness, [
      ['a/1', {}, { contentHash }],
      ['a/1', { digest: hashOf(2), position: at(50) }, { contentHash }],
      ['a/1', { digest: hashOf(3), position: at(60) }, { contentHash: hashOf(8) }],
    ])
    assert.deepEqual(await changesOf(storeHarness), [0, 0, 1])
  },

  'responses without a content hash are compared by payload': async (storeHarness) => {
    const missing = { httpStatus: 404, contentHash: null }
    await visitEach(storeHarness, [
      ['a/1', {}, missing],
      ['a/1', repeatedPayload(60), missing],
      ['a/1', { digest: hashOf(2), position: at(70) }, missing],
    ])
    assert.deepEqual(await changesOf(storeHarness), [0, 0, 1])
  },

  'a version that was not archived has changed only if its content has': async (storeHarness) => {
    const notKept = { position: null, hasPayload: false, resembles: 99 }
    await visitEach(storeHarness, [
      ['a/1', {}],
      ['a/1', notKept],
      ['a/1', { ...notKept, digest: hashOf(2) }],
      ['a/1', repeatedPayload(60)],
    ])
    assert.deepEqual(await changesOf(storeHarness), [0, 0, 1, 2])
    assert.deepEqual(
      (await historyOf(storeHarness)).map(({ isArchived }) => isArchived),
      [true, false, false, true],
    )
  },

  'versions are in order of arrival, even if the clock was ahead': async (storeHarness) => {
    const { clock } = storeHarness.store
    await visitEach(storeHarness, [['a/1', {}, { visitedAt: clock.now() + 1_000_000_000 }]])
    await visitEach(storeHarness, [
      ['a/1', repeatedPayload(60)],
      ['a/1', repeatedPayload(70)],
    ])
    assert.deepEqual(
      (await historyOf(storeHarness)).map(({ version, record }) => [version, record?.offset]),
      [
        [1, 0],
        [2, 60],
        [3, 70],
      ],
    )
  },

  'the nearest version is an archived one of the same crawl': async (storeHarness) => {
    const { clock, pages } = storeHarness.store
    await visitEach(storeHarness, [['a/1', {}]])
    const { id: crawlId } = await storeHarness.start(['a/1'], { recrawl: HOUR_MS })
    const times: number[] = []
    for (const position of [at(50), null, at(60)]) {
      times.push(clock.now())
      const page = { digest: hashOf(times.length), position, hasPayload: position !== null }
      await endAll(storeHarness, (lease, url) => archivedVisit(storeHarness, lease, url, page))
      await requeueAfter(storeHarness, HOUR_MS)
    }
    const nearest = async (time: number, url = 'http://a.test/1', id = crawlId) =>
      (await pages.findNearest(id, url, time))?.record?.offset ?? null
    const [first = 0, , third = 0] = times
    const middle = (first + third) / 2
    assert.deepEqual(
      await Promise.all([0, middle - 1, middle + 1, third * 2].map((time) => nearest(time))),
      [50, 50, 60, 60],
    )
    assert.equal(await nearest(first, 'http://a.test/2'), null)
    assert.equal(await nearest(first, 'http://a.test/1', 'nobody'), null)
  },

  'a page is not a near-duplicate of its earlier version': async (storeHarness) => {
    const second = { digest: hashOf(2), position: at(50), fingerprint: FINGERPRINT ^ 1n }
    await visitEach(storeHarness, [['a/1', { fingerprint: FINGERPRINT }]])
    const ask = async (url: string) =>
      only(await storeHarness.store.contents.find([{ url, digest: hashOf(2), fingerprint: FINGERPRINT ^ 1n }]))
        .resembles
    const first = only(await historyOf(storeHarness))
    assert.deepEqual([await ask('http://a.test/1'), await ask('http://a.test/2')], [null, first.id])
    await visitEach(storeHarness, [['a/1', second]])
    assert.deepEqual(
      (await historyOf(storeHarness)).map(({ resembles }) => resembles),
      [null, null],
    )
    await visitEach(storeHarness, [['a/2', { ...second, digest: hashOf(3), position: at(60) }]])
    assert.equal(only(await storeHarness.store.pages.history('http://a.test/2')).resembles, first.id)
  },

  'a page that was a near-duplicate before still is': async (storeHarness) => {
    await visitEach(storeHarness, [
      ['a/2', { fingerprint: FINGERPRINT ^ 1n }],
      ['a/1', { digest: hashOf(2), position: at(50), fingerprint: FINGERPRINT }],
      ['a/1', { digest: hashOf(3), position: at(60), fingerprint: FINGERPRINT }],
    ])
    const other = only(await storeHarness.store.pages.history('http://a.test/2'))
    assert.deepEqual(
      (await historyOf(storeHarness)).map(({ resembles }) => resembles),
      [other.id, other.id],
    )
  },

  'the last referenced offset of a segment counts only records within its bytes': async (storeHarness) => {
    await visitEach(storeHarness, [
      ['a/1', { position: at(50) }],
      ['a/2', { digest: hashOf(2), position: at(10) }],
      ['a/3', { ...repeatedPayload(70), digest: PAGE_REPORT.digest }],
    ])
    const ask = async (bytes: number) =>
      (await storeHarness.store.pages.lastReferencedOffsets([{ segment: 's1', bytes }]))['s1']
    assert.deepEqual(await Promise.all([79, 78, 60, 59, 19].map(ask)), [79, 60, 60, 20, 0])
    assert.deepEqual(await storeHarness.store.pages.lastReferencedOffsets([{ segment: 'none', bytes: 9 }]), { none: 0 })
  },
}
