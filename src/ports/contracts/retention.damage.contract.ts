// Damaged payloads: marked, replaced by the next record with the same payload, and readable again in every version.

import assert from 'node:assert/strict'
import type { KnownContent } from '../pages.ts'
import { hashOf } from './testing/page-visits.ts'
import { positionAt, type RetentionCase, type RetentionHarness } from './testing/retention-harness.ts'
import { only } from './testing/store-harness.ts'

async function known(harness: RetentionHarness, n = 1): Promise<KnownContent> {
  return only(await harness.store.contents.find([{ url: 'http://c.test/', digest: hashOf(n), fingerprint: null }]))
}

async function placesOf(harness: RetentionHarness, url: string) {
  const { record, payload } = only(await harness.versions(url))
  return [record, payload]
}

async function isDamaged(harness: RetentionHarness, url: string): Promise<boolean> {
  return only(await harness.versions(url)).isDamaged
}

export const DAMAGE_CASES: Record<string, RetentionCase> = {
  'a damaged payload is no longer used, and the next record with it serves every version': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('t', 5), { hasPayload: false })
    assert.equal(await harness.store.contents.markDamaged([positionAt('s', 5)]), 1)
    assert.deepEqual(await known(harness), { sameAs: null, isDamaged: true, resembles: null })
    const areDamaged = async () => [await isDamaged(harness, 'a/1'), await isDamaged(harness, 'b/1')]
    assert.deepEqual(await areDamaged(), [true, true])
    await harness.visit('c/1', positionAt('u', 7, 12))
    assert.deepEqual(await placesOf(harness, 'b/1'), [positionAt('t', 5), positionAt('u', 7, 12)])
    assert.deepEqual(await areDamaged(), [false, false])
    // The record with the headers stays where it is.
    assert.deepEqual(await placesOf(harness, 'a/1'), [positionAt('s', 5), positionAt('u', 7, 12)])
    assert.deepEqual(await placesOf(harness, 'c/1'), [positionAt('u', 7, 12), positionAt('u', 7, 12)])
    const found = await known(harness)
    assert.deepEqual([found.sameAs?.url, found.isDamaged], ['http://c.test/1', false])
  },

  'two responses of one commit repair a payload once': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.store.contents.markDamaged([positionAt('s', 5)])
    await harness.start(['b/1', 'b/2'])
    const lease = only((await harness.lease()).leases)
    const facts = { charset: null, lang: null, description: null, keywords: null, words: null, note: null, data: null }
    const page = { ...facts, digest: hashOf(1), wireBytes: 9, hasPayload: true, fingerprint: null, resembles: null }
    await harness.commit(
      lease.urls.map((url, i) => ({
        ...harness.visitedReport(lease, url),
        page: { ...page, position: positionAt('t', i * 10) },
      })),
    )
    const [first, ...others] = await Promise.all(
      ['a/1', 'b/1', 'b/2'].map(async (url) => only(await harness.versions(url)).payload),
    )
    assert.equal(first?.segment, 't')
    assert.deepEqual(others, [first, first])
    assert.equal((await known(harness)).isDamaged, false)
  },

  'damage to a record without payload, or where there is no record, loses no payload': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('t', 5), { hasPayload: false })
    assert.equal(
      await harness.store.contents.markDamaged([positionAt('t', 5), positionAt('s', 6), positionAt('none', 5)]),
      0,
    )
    assert.equal((await known(harness)).sameAs?.url, 'http://a.test/1')
  },

  'damage at a place that a payload has left does not concern it': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.moveAll('s', 'u')
    assert.equal(await harness.store.contents.markDamaged([positionAt('s', 5)]), 0)
    assert.equal(await harness.store.contents.markDamaged([positionAt('u', 0)]), 1)
    assert.equal(await harness.store.contents.markDamaged([positionAt('u', 0)]), 0)
  },

  'damage to a payload is remembered': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.store.contents.markDamaged([positionAt('s', 5)])
    harness.store = await harness.store.reopen()
    assert.equal((await known(harness)).isDamaged, true)
  },

  'the bytes of a damaged record are dead when its version is gone and its payload is elsewhere': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5), {}, 2)
    await harness.store.contents.markDamaged([positionAt('s', 5)])
    await harness.visit('b/1', positionAt('t', 5), {}, null)
    assert.deepEqual(await harness.listCompactable(), [])
    await harness.advanceAndExpire(2)
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty'])
    assert.deepEqual(await placesOf(harness, 'b/1'), [positionAt('t', 5), positionAt('t', 5)])
  },

  'a damaged payload whose version is gone is repaired too, and its bytes are dead at once': async (harness) => {
    await harness.visit('a/1', positionAt('s', 5))
    await harness.visit('b/1', positionAt('t', 5), { hasPayload: false }, null)
    await harness.advanceAndExpire(1)
    assert.equal(await harness.store.contents.markDamaged([positionAt('s', 5)]), 1)
    await harness.visit('c/1', positionAt('u', 5), {}, null)
    assert.deepEqual(await placesOf(harness, 'b/1'), [positionAt('t', 5), positionAt('u', 5)])
    assert.deepEqual(await harness.listCompactable(), ['s 10 empty'])
    assert.equal(await harness.store.retention.retireSegment('s'), true)
    // Other versions need the record that repaired it after its own version is gone.
    assert.equal(await harness.moveAll('u', 'v'), 1)
    assert.deepEqual(await placesOf(harness, 'b/1'), [positionAt('t', 5), positionAt('v', 0)])
  },
}
