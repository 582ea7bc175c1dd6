// Records that move, and segments that hold nothing any more.

import assert from 'node:assert/strict'
import { HASH } from './pages.bench.ts'
import { at, type Case, SEGMENTS } from './retention.bench.ts'
import { only } from './store.contract.ts'

export const SEGMENT_CASES: Record<string, Case> = {
  'a record moves with the payload it holds': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('t', 5), { hasPayload: false })
    assert.equal(await bench.moveAll('s', 'u'), 1)
    const { record, payload } = only(await bench.versions('a/1'))
    assert.deepEqual([record, payload], [at('u', 0), at('u', 0)])
    assert.deepEqual(only(await bench.versions('b/1')).payload, at('u', 0))
    assert.deepEqual(only(await bench.versions('b/1')).record, at('t', 5))
    assert.deepEqual(await bench.worn(), ['s 10 empty'])
  },

  'a payload whose version is gone is still pointed at': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('t', 5), { hasPayload: false }, 2)
    await bench.pass(1)
    const left = ['s', 't'].map((segment) => ({ segment, bytes: 20 }))
    assert.deepEqual(await bench.store.pages.goodOffsets(left), { s: 15, t: 15 })
  },

  'a payload whose version is gone moves alone': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('t', 5), { hasPayload: false }, 2)
    await bench.pass(1)
    assert.equal(await bench.moveAll('s', 'u'), 1)
    assert.deepEqual(only(await bench.versions('b/1')).payload, at('u', 0))
    await bench.pass(1)
    await bench.sweep()
    assert.deepEqual(await bench.worn(), ['s 10 empty', 't 10 empty', 'u 10 empty'])
  },

  'what has gone or moved meanwhile does not move': async (bench) => {
    await bench.visit('a/1', at('s', 5))
    await bench.visit('b/1', at('s', 15), { hasPayload: false }, null)
    const records = await bench.store.retention.liveRecords('s', 100)
    await bench.pass(1)
    await bench.moveAll('s', 'u')
    assert.equal(await bench.store.retention.move(records.map((record) => ({ record, to: at('v', 0) }))), 0)
    const { record, payload } = only(await bench.versions('b/1'))
    assert.deepEqual([record?.segment, payload?.segment], ['u', 'u'])
    assert.deepEqual(await bench.worn(), ['s 20 empty', 'v 20 empty'])
  },

  'a segment is forgotten only when nothing in it is needed': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', at('s', 0))
    await bench.visit('b/1', at('t', 0), { hasPayload: false }, 2)
    assert.equal(await retention.forget('s'), false)
    await bench.pass(1)
    assert.equal(await retention.forget('s'), false)
    await bench.pass(1)
    assert.equal(await retention.forget('s'), false)
    await bench.sweep()
    assert.equal(await retention.forget('s'), true)
    assert.equal(await retention.forget('none'), false)
  },

  'a forgotten segment is to be deleted until somebody says that it is': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.pass(1)
    await bench.sweep()
    await bench.store.retention.forget('s')
    bench.store = await bench.store.reopen()
    const { retention } = bench.store
    assert.deepEqual([await retention.forgotten(SEGMENTS), await retention.worn(SEGMENTS)], [['s'], []])
    await retention.letGo('s')
    assert.deepEqual([await retention.forgotten(SEGMENTS), await bench.worn()], [[], []])
  },

  'only segments that were asked for are told of': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', at('s', 0))
    await bench.visit('b/1', at('t', 0), { digest: HASH(2) })
    await bench.pass(1)
    await bench.sweep()
    assert.deepEqual(await retention.worn(['t']), [{ segment: 't', deadBytes: 10, isEmpty: true }])
    await retention.forget('s')
    assert.deepEqual([await retention.forgotten(['t']), await retention.forgotten(['s'])], [[], ['s']])
    assert.deepEqual([await retention.forgotten([]), await retention.worn([])], [[], []])
  },

  'a segment that records shall move to is not lost sight of when none came': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', at('s', 0))
    await retention.expect('u')
    assert.deepEqual(await bench.worn(), ['u 0 empty'])
    await retention.expect('u')
    await bench.moveAll('s', 'u')
    assert.deepEqual(await bench.worn(), ['s 10 empty'])
    assert.equal(await retention.forget('u'), false)
  },

  'a report does not point at a segment that is forgotten': async (bench) => {
    await bench.visit('a/1', at('s', 0))
    await bench.pass(1)
    await bench.sweep()
    await bench.store.retention.forget('s')
    await assert.rejects(bench.visit('b/1', at('s', 20), { digest: HASH(2) }), { code: 'INTERNAL' })
    assert.deepEqual(await bench.versions('b/1'), [])
  },
}
