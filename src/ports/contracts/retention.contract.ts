// Expired versions, and the bytes they leave.

import assert from 'node:assert/strict'
import { DAMAGE_CASES } from './retention.damage.contract.ts'
import { SEGMENT_CASES } from './retention.segments.contract.ts'
import { hashOf } from './testing/page-visits.ts'
import { DAY_MS, positionAt, type RetentionCase, RetentionHarness } from './testing/retention-harness.ts'
import { describeHarness, only, type TestStore } from './testing/store-harness.ts'

const CASES: Record<string, RetentionCase> = {
  'a process is alone with the store until another opens it': async (harness) => {
    assert.equal(await harness.store.retention.isOnlyProcess(), true)
    harness.store = await harness.store.reopen()
    assert.equal(await harness.store.retention.isOnlyProcess(), true)
  },

  'a run too long after the last one is rejected, unless it is forced': async (harness) => {
    const { clock } = harness.store
    const run = (maxGapMs: number | null) => harness.store.retention.recordRun(clock.now(), maxGapMs)
    assert.equal(await run(DAY_MS), true)
    clock.advance(DAY_MS)
    assert.equal(await run(DAY_MS), true)
    clock.advance(2 * DAY_MS)
    harness.store = await harness.store.reopen()
    assert.deepEqual([await run(DAY_MS), await run(DAY_MS)], [false, false])
    assert.equal(await run(null), true)
    assert.equal(await run(DAY_MS), true)
  },

  'a version is deleted when it expires, and not before': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0), {}, 2)
    assert.equal(await harness.advanceAndExpire(1.99), 0)
    assert.equal((await harness.versions('a/1')).length, 1)
    assert.equal(await harness.advanceAndExpire(0.01), 1)
    assert.deepEqual(await harness.versions('a/1'), [])
  },

  'a version without expiry stays': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0), {}, null)
    assert.equal(await harness.advanceAndExpire(100_000), 0)
    assert.equal((await harness.versions('a/1')).length, 1)
  },

  'a version without bytes is deleted too': async (harness) => {
    await harness.visit('a/1', null)
    assert.equal(await harness.advanceAndExpire(1), 1)
    assert.deepEqual(await harness.listCompactable(), [])
  },

  'no more versions are deleted at a time than the limit': async (harness) => {
    for (let i = 0; i < 5; i++)
      await harness.visit(`a/${i}`, i === 4 ? null : positionAt('s', i * 10), { digest: hashOf(i) })
    harness.store.clock.advance(DAY_MS)
    const dropped = []
    for (let i = 0; i < 4; i++) dropped.push(await harness.store.retention.expire(harness.store.clock.now(), 2))
    assert.deepEqual(dropped, [2, 2, 1, 0])
    assert.equal(await harness.store.retention.sweep(harness.store.clock.now(), 3), 3)
    assert.equal(await harness.sweep(), 1)
  },

  'versions keep their numbers, and ids are not reused': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.visit('a/1', positionAt('s', 10), { hasPayload: false }, 2)
    const [, second] = await harness.versions('a/1')
    await harness.advanceAndExpire(1)
    assert.deepEqual([only(await harness.versions('a/1')).version, second?.version], [2, 2])
    await harness.advanceAndExpire(1)
    harness.store = await harness.store.reopen()
    await harness.visit('a/1', positionAt('s', 20))
    assert.ok(only(await harness.versions('a/1')).id > (second?.id ?? 0))
  },

  'a payload lives as long as any version uses it, wherever it came from': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.visit('b/1', positionAt('t', 0), { hasPayload: false }, 2)
    await harness.advanceAndExpire(1)
    assert.equal(await harness.sweep(), 0)
    assert.deepEqual(only(await harness.versions('b/1')).payload, positionAt('s', 0))
    assert.deepEqual(await harness.listCompactable(), [])
    await harness.advanceAndExpire(1)
    assert.deepEqual(await harness.listCompactable(), ['t 10 empty'])
    assert.equal(await harness.sweep(), 1)
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty', 't 10 empty'])
  },

  'an unused payload is not found any more, but a report that relies on it still works': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    const ask = async () =>
      only(await harness.store.contents.find([{ url: '', digest: hashOf(1), fingerprint: null }])).sameAs
    assert.notEqual(await ask(), null)
    await harness.advanceAndExpire(1)
    assert.equal(await ask(), null)
    await harness.visit('b/1', positionAt('t', 0), { hasPayload: false })
    assert.equal(await harness.sweep(), 0)
    assert.deepEqual(only(await harness.versions('b/1')).payload, positionAt('s', 0))
    assert.notEqual(await ask(), null)
  },

  'a payload that is used again before the sweep stays': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.advanceAndExpire(1)
    await harness.visit('b/1', positionAt('t', 0))
    assert.equal(await harness.sweep(), 0)
    assert.deepEqual(await harness.listCompactable(), [])
    await harness.advanceAndExpire(1)
    assert.equal(await harness.sweep(), 1)
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty', 't 10 empty'])
  },

  'an unused payload stays for the given time': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.advanceAndExpire(1)
    assert.equal(await harness.store.retention.sweep(harness.store.clock.now() - 1, 100), 0)
    assert.equal(await harness.sweep(), 1)
  },

  'a deleted version has no near-duplicates': async (harness) => {
    const fingerprint = 0xab_cdef_0123_4567n
    const seen = { fingerprint, digest: hashOf(2) }
    await harness.visit('a/1', positionAt('s', 0), { fingerprint })
    await harness.visit('a/2', positionAt('s', 10), seen, 2)
    const first = only(await harness.versions('a/1'))
    assert.equal(only(await harness.versions('a/2')).resembles, first.id)
    await harness.advanceAndExpire(1)
    assert.equal(only(await harness.versions('a/2')).resembles, null)
    const [known] = await harness.store.contents.find([{ ...seen, url: '' }])
    assert.equal(known?.resembles, null)
    await harness.visit('a/3', positionAt('s', 20), { fingerprint, digest: hashOf(3) }, 9)
    await harness.visit('a/4', positionAt('s', 30), { fingerprint, digest: hashOf(4) }, 9)
    assert.equal(only(await harness.versions('a/4')).resembles, only(await harness.versions('a/3')).id)
  },
}

export function retentionContract(name: string, makeStore: () => Promise<TestStore>): void {
  const makeHarness = async () => new RetentionHarness(await makeStore())
  describeHarness(`${name}: retention`, makeHarness, (add) => {
    for (const [title, run] of Object.entries({ ...CASES, ...SEGMENT_CASES, ...DAMAGE_CASES })) add(title, run)
  })
}
