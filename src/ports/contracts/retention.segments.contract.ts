// Records that move, and segments that hold nothing any more.

import assert from 'node:assert/strict'
import { hashOf } from './testing/page-visits.ts'
import { positionAt, type RetentionCase, SEGMENTS } from './testing/retention-harness.ts'
import { only } from './testing/store-harness.ts'

export const SEGMENT_CASES: Record<string, RetentionCase> = {
  'a record moves with the payload it holds': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('t', 5), { hasPayload: false })
    assert.equal(await bench.moveAll('s', 'u'), 1)
    const { record, payload } = only(await bench.versions('a/1'))
    assert.deepEqual([record, payload], [positionAt('u', 0), positionAt('u', 0)])
    assert.deepEqual(only(await bench.versions('b/1')).payload, positionAt('u', 0))
    assert.deepEqual(only(await bench.versions('b/1')).record, positionAt('t', 5))
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty'])
  },

  'a payload whose version is gone is still pointed at': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('t', 5), { hasPayload: false }, 2)
    await bench.advanceAndExpire(1)
    const left = ['s', 't'].map((segment) => ({ segment, bytes: 20 }))
    assert.deepEqual(await bench.store.pages.lastReferencedOffsets(left), { s: 15, t: 15 })
  },

  'a payload whose version is gone moves alone': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('t', 5), { hasPayload: false }, 2)
    await bench.advanceAndExpire(1)
    assert.equal(await bench.moveAll('s', 'u'), 1)
    assert.deepEqual(only(await bench.versions('b/1')).payload, positionAt('u', 0))
    await bench.advanceAndExpire(1)
    await bench.sweep()
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty', 't 10 empty', 'u 10 empty'])
  },

  'what has gone or moved meanwhile does not move': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('s', 15), { hasPayload: false }, null)
    const records = await bench.store.retention.liveRecords('s', 100)
    await bench.advanceAndExpire(1)
    await bench.moveAll('s', 'u')
    assert.equal(
      await bench.store.retention.moveRecords(records.map((record) => ({ record, to: positionAt('v', 0) }))),
      0,
    )
    const { record, payload } = only(await bench.versions('b/1'))
    assert.deepEqual([record?.segment, payload?.segment], ['u', 'u'])
    assert.deepEqual(await bench.listCompactable(), ['s 20 empty', 'v 20 empty'])
  },

  'a segment is forgotten only when nothing in it is needed': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', positionAt('s', 0))
    await bench.visit('b/1', positionAt('t', 0), { hasPayload: false }, 2)
    assert.equal(await retention.retireSegment('s'), false)
    await bench.advanceAndExpire(1)
    assert.equal(await retention.retireSegment('s'), false)
    await bench.advanceAndExpire(1)
    assert.equal(await retention.retireSegment('s'), false)
    await bench.sweep()
    assert.equal(await retention.retireSegment('s'), true)
    assert.equal(await retention.retireSegment('none'), false)
  },

  'a forgotten segment is to be deleted until somebody says that it is': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    await bench.advanceAndExpire(1)
    await bench.sweep()
    await bench.store.retention.retireSegment('s')
    bench.store = await bench.store.reopen()
    const { retention } = bench.store
    assert.deepEqual([await retention.listRetired(SEGMENTS), await retention.listCompactable(SEGMENTS)], [['s'], []])
    await retention.deleteRetired('s')
    assert.deepEqual([await retention.listRetired(SEGMENTS), await bench.listCompactable()], [[], []])
  },

  'only segments that were asked for are told of': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', positionAt('s', 0))
    await bench.visit('b/1', positionAt('t', 0), { digest: hashOf(2) })
    await bench.advanceAndExpire(1)
    await bench.sweep()
    assert.deepEqual(await retention.listCompactable(['t']), [{ segment: 't', deadBytes: 10, isEmpty: true }])
    await retention.retireSegment('s')
    assert.deepEqual([await retention.listRetired(['t']), await retention.listRetired(['s'])], [[], ['s']])
    assert.deepEqual([await retention.listRetired([]), await retention.listCompactable([])], [[], []])
  },

  'a segment that records shall move to is not lost sight of when none came': async (bench) => {
    const { retention } = bench.store
    await bench.visit('a/1', positionAt('s', 0))
    await retention.registerSegment('u')
    assert.deepEqual(await bench.listCompactable(), ['u 0 empty'])
    await retention.registerSegment('u')
    await bench.moveAll('s', 'u')
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty'])
    assert.equal(await retention.retireSegment('u'), false)
  },

  'a report does not point at a segment that is forgotten': async (bench) => {
    await bench.visit('a/1', positionAt('s', 0))
    await bench.advanceAndExpire(1)
    await bench.sweep()
    await bench.store.retention.retireSegment('s')
    await assert.rejects(bench.visit('b/1', positionAt('s', 20), { digest: hashOf(2) }), { code: 'INTERNAL' })
    assert.deepEqual(await bench.versions('b/1'), [])
  },
}
