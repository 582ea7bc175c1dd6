// Versions whose time is over, and the bytes they leave.

import assert from 'node:assert/strict'
import { DAMAGE_CASES } from './retention.damage.contract.ts'
import { SEGMENT_CASES } from './retention.segments.contract.ts'
import { hashOf } from './testing/page-visits.ts'
import { DAY_MS, positionAt, type RetentionCase, RetentionHarness } from './testing/retention-harness.ts'
import { describeHarness, only, type TestStore } from './testing/store-harness.ts'

const CASES: Record<string, RetentionCase> = {
  'who opened the store is alone with it until another does': async (bench) => {
    assert.equal(await bench.store.retention.isAlone(), true)
    bench.store = await bench.store.reopen()
    assert.equal(await bench.store.retention.isAlone(), true)
  },

  'a run that comes too long after the last one is refused, unless it is asked for': async (bench) => {
    const { clock } = bench.store
    const run = (maxGapMs: number | null) => bench.store.retention.recordRun(clock.now(), maxGapMs)
    assert.equal(await run(DAY_MS), true)
    clock.advance(DAY_MS)
    assert.equal(await run(DAY_MS), true)
    clock.advance(2 * DAY_MS)
    bench.store = await bench.store.reopen()
    assert.deepEqual([await run(DAY_MS), await run(DAY_MS)], [false, false])
    assert.equal(await run(null), true)
    assert.equal(await run(DAY_MS), true)
  },

  'a version goes when its time is over, and not before': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0), {}, 2)
    assert.equal(await bench.advanceAndExpire(1.99), 0)
    assert.equal((await bench.versions('a/1')).length, 1)
    assert.equal(await bench.advanceAndExpire(0.01), 1)
    assert.deepEqual(await bench.versions('a/1'), [])
  },

  'what is kept for ever stays': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0), {}, null)
    assert.equal(await bench.advanceAndExpire(100_000), 0)
    assert.equal((await bench.versions('a/1')).length, 1)
  },

  'a version without bytes goes too': async (bench) => {
    await bench.visit('a/1', null)
    assert.equal(await bench.advanceAndExpire(1), 1)
    assert.deepEqual(await bench.listCompactable(), [])
  },

  'no more go at a time than asked for': async (bench) => {
    for (let i = 0; i < 5; i++)
      await bench.visit(`a/${i}`, i === 4 ? null : positionAt('s', i * 10), { digest: hashOf(i) })
    bench.store.clock.advance(DAY_MS)
    const dropped = []
    for (let i = 0; i < 4; i++) dropped.push(await bench.store.retention.expire(bench.store.clock.now(), 2))
    assert.deepEqual(dropped, [2, 2, 1, 0])
    assert.equal(await bench.store.retention.sweep(bench.store.clock.now(), 3), 3)
    assert.equal(await bench.sweep(), 1)
  },

  'versions keep their numbers, and ids are not given again': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    await bench.visit('a/1', positionAt('s', 10), { hasPayload: false }, 2)
    const [, second] = await bench.versions('a/1')
    await bench.advanceAndExpire(1)
    assert.deepEqual([only(await bench.versions('a/1')).version, second?.version], [2, 2])
    await bench.advanceAndExpire(1)
    bench.store = await bench.store.reopen()
    await bench.visit('a/1', positionAt('s', 20))
    assert.ok(only(await bench.versions('a/1')).id > (second?.id ?? 0))
  },

  'a payload lives as long as any version has it, wherever it came from': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    await bench.visit('b/1', positionAt('t', 0), { hasPayload: false }, 2)
    await bench.advanceAndExpire(1)
    assert.equal(await bench.sweep(), 0)
    assert.deepEqual(only(await bench.versions('b/1')).payload, positionAt('s', 0))
    assert.deepEqual(await bench.listCompactable(), [])
    await bench.advanceAndExpire(1)
    assert.deepEqual(await bench.listCompactable(), ['t 10 empty'])
    assert.equal(await bench.sweep(), 1)
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty', 't 10 empty'])
  },

  'a payload that nobody has is not told of, but a report that counts on it still finds it': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    const ask = async () =>
      only(await bench.store.contents.find([{ url: '', digest: hashOf(1), fingerprint: null }])).sameAs
    assert.notEqual(await ask(), null)
    await bench.advanceAndExpire(1)
    assert.equal(await ask(), null)
    await bench.visit('b/1', positionAt('t', 0), { hasPayload: false })
    assert.equal(await bench.sweep(), 0)
    assert.deepEqual(only(await bench.versions('b/1')).payload, positionAt('s', 0))
    assert.notEqual(await ask(), null)
  },

  'a payload that comes again before it is swept is needed again': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    await bench.advanceAndExpire(1)
    await bench.visit('b/1', positionAt('t', 0))
    assert.equal(await bench.sweep(), 0)
    assert.deepEqual(await bench.listCompactable(), [])
    await bench.advanceAndExpire(1)
    assert.equal(await bench.sweep(), 1)
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty', 't 10 empty'])
  },

  'an unused payload stays for the time that is asked for': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    await bench.advanceAndExpire(1)
    assert.equal(await bench.store.retention.sweep(bench.store.clock.now() - 1, 100), 0)
    assert.equal(await bench.sweep(), 1)
  },

  'nothing resembles a version that is gone': async (bench) => {
    const fingerprint = 0xab_cdef_0123_4567n
    const seen = { fingerprint, digest: hashOf(2) }
    await bench.visit('a/1', positionAt('s', 0), { fingerprint })
    await bench.visit('a/2', positionAt('s', 10), seen, 2)
    const first = only(await bench.versions('a/1'))
    assert.equal(only(await bench.versions('a/2')).resembles, first.id)
    await bench.advanceAndExpire(1)
    assert.equal(only(await bench.versions('a/2')).resembles, null)
    const [known] = await bench.store.contents.find([{ ...seen, url: '' }])
    assert.equal(known?.resembles, null)
    await bench.visit('a/3', positionAt('s', 20), { fingerprint, digest: hashOf(3) }, 9)
    await bench.visit('a/4', positionAt('s', 30), { fingerprint, digest: hashOf(4) }, 9)
    assert.equal(only(await bench.versions('a/4')).resembles, only(await bench.versions('a/3')).id)
  },
}

export function retentionContract(name: string, makeStore: () => Promise<TestStore>): void {
  const makeBench = async () => new RetentionHarness(await makeStore())
  describeHarness(`${name}: retention`, makeBench, (add) => {
    for (const [title, run] of Object.entries({ ...CASES, ...SEGMENT_CASES, ...DAMAGE_CASES })) add(title, run)
  })
}
