// Records that move, and segments that become empty.

import assert from 'node:assert/strict'
import { hashOf } from './testing/page-visits.ts'
import { positionAt, type RetentionCase, SEGMENTS } from './testing/retention-harness.ts'
import { only } from './testing/store-harness.ts'

export const SEGMENT_CASES: Record<string, RetentionCase> = {
  'a record moves with its payload': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('t', 5), { hasPayload: false })
    assert.equal(await harness.moveAll('s', 'u'), 1)
    const { record, payload } = only(await harness.versions('a/1'))
    assert.deepEqual([record, payload], [positionAt('u', 0), positionAt('u', 0)])
    assert.deepEqual(only(await harness.versions('b/1')).payload, positionAt('u', 0))
    assert.deepEqual(only(await harness.versions('b/1')).record, positionAt('t', 5))
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty'])
  },

  'a payload whose version is gone is still referenced': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('t', 5), { hasPayload: false }, 2)
    await harness.advanceAndExpire(1)
    const left = ['s', 't'].map((segment) => ({ segment, bytes: 20 }))
    assert.deepEqual(await harness.store.pages.lastReferencedOffsets(left), { s: 15, t: 15 })
  },

  'a payload whose version is gone moves alone': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('t', 5), { hasPayload: false }, 2)
    await harness.advanceAndExpire(1)
    assert.equal(await harness.moveAll('s', 'u'), 1)
    assert.deepEqual(only(await harness.versions('b/1')).payload, positionAt('u', 0))
    await harness.advanceAndExpire(1)
    await harness.sweep()
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty', 't 10 empty', 'u 10 empty'])
  },

  'records that are gone or have moved meanwhile do not move': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('s', 15), { hasPayload: false }, null)
    const records = await harness.store.retention.liveRecords('s', 100)
    await harness.advanceAndExpire(1)
    await harness.moveAll('s', 'u')
    assert.equal(
      await harness.store.retention.moveRecords(records.map((record) => ({ record, to: positionAt('v', 0) }))),
      0,
    )
    const { record, payload } = only(await harness.versions('b/1'))
    assert.deepEqual([record?.segment, payload?.segment], ['u', 'u'])
    assert.deepEqual(await harness.listCompactable(), ['s 20 empty', 'v 20 empty'])
  },

  'a segment is retired only when nothing refers to it': async (harness) => {
    const { retention } = harness.store
    await harness.visit('a/1', positionAt('s', 0))
    await harness.visit('b/1', positionAt('t', 0), { hasPayload: false }, 2)
    assert.equal(await retention.retireSegment('s'), false)
    await harness.advanceAndExpire(1)
    assert.equal(await retention.retireSegment('s'), false)
    await harness.advanceAndExpire(1)
    assert.equal(await retention.retireSegment('s'), false)
    await harness.sweep()
    assert.equal(await retention.retireSegment('s'), true)
    assert.equal(await retention.retireSegment('none'), false)
  },

  'a retired segment is listed until it is deleted': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.advanceAndExpire(1)
    await harness.sweep()
    await harness.store.retention.retireSegment('s')
    harness.store = await harness.store.reopen()
    const { retention } = harness.store
    assert.deepEqual([await retention.listRetired(SEGMENTS), await retention.listCompactable(SEGMENTS)], [['s'], []])
    await retention.deleteRetired('s')
    assert.deepEqual([await retention.listRetired(SEGMENTS), await harness.listCompactable()], [[], []])
  },

  'only the given segments are listed': async (harness) => {
    const { retention } = harness.store
    await harness.visit('a/1', positionAt('s', 0))
    await harness.visit('b/1', positionAt('t', 0), { digest: hashOf(2) })
    await harness.advanceAndExpire(1)
    await harness.sweep()
    assert.deepEqual(await retention.listCompactable(['t']), [{ segment: 't', deadBytes: 10, isEmpty: true }])
    await retention.retireSegment('s')
    assert.deepEqual([await retention.listRetired(['t']), await retention.listRetired(['s'])], [[], ['s']])
    assert.deepEqual([await retention.listRetired([]), await retention.listCompactable([])], [[], []])
  },

  'a segment registered for a move is listed even if no record came': async (harness) => {
    const { retention } = harness.store
    await harness.visit('a/1', positionAt('s', 0))
    await retention.registerSegment('u')
    assert.deepEqual(await harness.listCompactable(), ['u 0 empty'])
    await retention.registerSegment('u')
    await harness.moveAll('s', 'u')
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty'])
    assert.equal(await retention.retireSegment('u'), false)
  },

  'a report cannot refer to a retired segment': async (harness) => {
    await harness.visit('a/1', positionAt('s', 0))
    await harness.advanceAndExpire(1)
    await harness.sweep()
    await harness.store.retention.retireSegment('s')
    await assert.rejects(harness.visit('b/1', positionAt('s', 20), { digest: hashOf(2) }), { code: 'INTERNAL' })
    assert.deepEqual(await harness.versions('b/1'), [])
  },
}
