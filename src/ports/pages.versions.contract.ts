// How versions of a url follow each other, and what they resemble.

import assert from 'node:assert/strict'
import type { Position } from './archive.ts'
import { again, HASH, PAGE, visitEach } from './pages.bench.ts'
import type { PageVersion } from './pages.ts'
import { type Bench, only } from './store.contract.ts'

const FINGERPRINT = 0xab_cdef_0123_4567n

function at(offset: number): Position {
  return { segment: 's1', offset, length: 10 }
}

function historyOf(bench: Bench): Promise<PageVersion[]> {
  return bench.store.pages.history('http://a.test/1')
}

async function changesOf(bench: Bench): Promise<number[]> {
  return (await historyOf(bench)).map(({ changes }) => changes)
}

export const VERSION_CASES: Record<string, (bench: Bench) => Promise<void>> = {
  'a page that is packed anew has not changed': async (bench) => {
    const contentHash = HASH(7)
    await visitEach(bench, [
      ['a/1', {}, { contentHash }],
      ['a/1', { digest: HASH(2), position: at(50) }, { contentHash }],
      ['a/1', { digest: HASH(3), position: at(60) }, { contentHash: HASH(8) }],
    ])
    assert.deepEqual(await changesOf(bench), [0, 0, 1])
  },

  'answers without a hash of their content are told apart by their payload': async (bench) => {
    const missing = { httpStatus: 404, contentHash: null }
    await visitEach(bench, [
      ['a/1', {}, missing],
      ['a/1', again(60), missing],
      ['a/1', { digest: HASH(2), position: at(70) }, missing],
    ])
    assert.deepEqual(await changesOf(bench), [0, 0, 1])
  },

  'a version that was not kept has changed only when its content has': async (bench) => {
    const notKept = { position: null, hasPayload: false, resembles: 99 }
    await visitEach(bench, [
      ['a/1', {}],
      ['a/1', notKept],
      ['a/1', { ...notKept, digest: HASH(2) }],
      ['a/1', again(60)],
    ])
    assert.deepEqual(await changesOf(bench), [0, 0, 1, 2])
    assert.deepEqual(
      (await historyOf(bench)).map(({ isKept }) => isKept),
      [true, false, false, true],
    )
  },

  'versions are in the order they came, also when the clock was ahead': async (bench) => {
    const { clock } = bench.store
    await visitEach(bench, [['a/1', {}, { visitedAt: clock.now() + 1_000_000_000 }]])
    await visitEach(bench, [
      ['a/1', again(60)],
      ['a/1', again(70)],
    ])
    assert.deepEqual(
      (await historyOf(bench)).map(({ version, record }) => [version, record?.offset]),
      [
        [1, 0],
        [2, 60],
        [3, 70],
      ],
    )
  },

  'a page does not resemble itself as it was before': async (bench) => {
    const second = { digest: HASH(2), position: at(50), fingerprint: FINGERPRINT ^ 1n }
    await visitEach(bench, [['a/1', { fingerprint: FINGERPRINT }]])
    const ask = async (url: string) =>
      only(await bench.store.contents.find([{ url, digest: HASH(2), fingerprint: FINGERPRINT ^ 1n }])).resembles
    const first = only(await historyOf(bench))
    assert.deepEqual([await ask('http://a.test/1'), await ask('http://a.test/2')], [null, first.id])
    await visitEach(bench, [['a/1', second]])
    assert.deepEqual(
      (await historyOf(bench)).map(({ resembles }) => resembles),
      [null, null],
    )
    await visitEach(bench, [['a/2', { ...second, digest: HASH(3), position: at(60) }]])
    assert.equal(only(await bench.store.pages.history('http://a.test/2')).resembles, first.id)
  },

  'a page that resembled another before still does': async (bench) => {
    await visitEach(bench, [
      ['a/2', { fingerprint: FINGERPRINT ^ 1n }],
      ['a/1', { digest: HASH(2), position: at(50), fingerprint: FINGERPRINT }],
      ['a/1', { digest: HASH(3), position: at(60), fingerprint: FINGERPRINT }],
    ])
    const other = only(await bench.store.pages.history('http://a.test/2'))
    assert.deepEqual(
      (await historyOf(bench)).map(({ resembles }) => resembles),
      [other.id, other.id],
    )
  },

  'tells how far into a segment it points, of what lies within its bytes': async (bench) => {
    await visitEach(bench, [
      ['a/1', { position: at(50) }],
      ['a/2', { digest: HASH(2), position: at(10) }],
      ['a/3', { ...again(70), digest: PAGE.digest }],
    ])
    const ask = async (bytes: number) => (await bench.store.pages.goodOffsets([{ segment: 's1', bytes }]))['s1']
    assert.deepEqual(await Promise.all([79, 78, 60, 59, 19].map(ask)), [79, 60, 60, 20, 0])
    assert.deepEqual(await bench.store.pages.goodOffsets([{ segment: 'none', bytes: 9 }]), { none: 0 })
  },
}
