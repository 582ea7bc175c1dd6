// Payloads that turn out damaged: told of, brought anew, and had again by every version.

import assert from 'node:assert/strict'
import type { KnownContent } from '../pages.ts'
import { hashOf } from './testing/page-visits.ts'
import { positionAt, type RetentionCase, type RetentionHarness } from './testing/retention-harness.ts'
import { only } from './testing/store-harness.ts'

async function known(bench: RetentionHarness, n = 1): Promise<KnownContent> {
  return only(await bench.store.contents.find([{ url: 'http://c.test/', digest: hashOf(n), fingerprint: null }]))
}

async function placesOf(bench: RetentionHarness, url: string) {
  const { record, payload } = only(await bench.versions(url))
  return [record, payload]
}

async function isDamaged(bench: RetentionHarness, url: string): Promise<boolean> {
  return only(await bench.versions(url)).isDamaged
}

export const DAMAGE_CASES: Record<string, RetentionCase> = {
  'a damaged payload is referred to no more, and the next record with it serves every version': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('t', 5), { hasPayload: false })
    assert.equal(await bench.store.contents.markDamaged([positionAt('s', 5)]), 1)
    assert.deepEqual(await known(bench), { sameAs: null, isDamaged: true, resembles: null })
    const areDamaged = async () => [await isDamaged(bench, 'a/1'), await isDamaged(bench, 'b/1')]
    assert.deepEqual(await areDamaged(), [true, true])
    await bench.visit('c/1', positionAt('u', 7, 12))
    assert.deepEqual(await placesOf(bench, 'b/1'), [positionAt('t', 5), positionAt('u', 7, 12)])
    assert.deepEqual(await areDamaged(), [false, false])
    // Its own record, with its headers, stays where it is.
    assert.deepEqual(await placesOf(bench, 'a/1'), [positionAt('s', 5), positionAt('u', 7, 12)])
    assert.deepEqual(await placesOf(bench, 'c/1'), [positionAt('u', 7, 12), positionAt('u', 7, 12)])
    const found = await known(bench)
    assert.deepEqual([found.sameAs?.url, found.isDamaged], ['http://c.test/1', false])
  },

  'two answers of one commit mend a payload once': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.store.contents.markDamaged([positionAt('s', 5)])
    await bench.start(['b/1', 'b/2'])
    const lease = only((await bench.lease()).leases)
    const facts = { charset: null, lang: null, description: null, keywords: null, words: null, note: null }
    const page = { ...facts, digest: hashOf(1), wireBytes: 9, hasPayload: true, fingerprint: null, resembles: null }
    await bench.commit(
      lease.urls.map((url, i) => ({
        ...bench.visitedReport(lease, url),
        page: { ...page, position: positionAt('t', i * 10) },
      })),
    )
    const [first, ...others] = await Promise.all(
      ['a/1', 'b/1', 'b/2'].map(async (url) => only(await bench.versions(url)).payload),
    )
    assert.equal(first?.segment, 't')
    assert.deepEqual(others, [first, first])
    assert.equal((await known(bench)).isDamaged, false)
  },

  'a record that only refers to a payload costs none, nor does a place where there is nothing': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('t', 5), { hasPayload: false })
    assert.equal(
      await bench.store.contents.markDamaged([positionAt('t', 5), positionAt('s', 6), positionAt('none', 5)]),
      0,
    )
    assert.equal((await known(bench)).sameAs?.url, 'http://a.test/1')
  },

  'damage in a place that a payload has left is not its own': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.moveAll('s', 'u')
    assert.equal(await bench.store.contents.markDamaged([positionAt('s', 5)]), 0)
    assert.equal(await bench.store.contents.markDamaged([positionAt('u', 0)]), 1)
    assert.equal(await bench.store.contents.markDamaged([positionAt('u', 0)]), 0)
  },

  'that a payload is damaged is not forgotten': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.store.contents.markDamaged([positionAt('s', 5)])
    bench.store = await bench.store.reopen()
    assert.equal((await known(bench)).isDamaged, true)
  },

  'the bytes of a damaged record are dead when its version is gone and its payload lies elsewhere': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5), {}, 2)
    await bench.store.contents.markDamaged([positionAt('s', 5)])
    await bench.visit('b/1', positionAt('t', 5), {}, null)
    assert.deepEqual(await bench.listCompactable(), [])
    await bench.advanceAndExpire(2)
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty'])
    assert.deepEqual(await placesOf(bench, 'b/1'), [positionAt('t', 5), positionAt('t', 5)])
  },

  'a damaged payload whose version is gone is mended too, and its bytes are dead at once': async (bench) => {
    await bench.visit('a/1', positionAt('s', 5))
    await bench.visit('b/1', positionAt('t', 5), { hasPayload: false }, null)
    await bench.advanceAndExpire(1)
    assert.equal(await bench.store.contents.markDamaged([positionAt('s', 5)]), 1)
    await bench.visit('c/1', positionAt('u', 5), {}, null)
    assert.deepEqual(await placesOf(bench, 'b/1'), [positionAt('t', 5), positionAt('u', 5)])
    assert.deepEqual(await bench.listCompactable(), ['s 10 empty'])
    assert.equal(await bench.store.retention.retireSegment('s'), true)
    // The record that mended it is needed by others when its own version is gone.
    assert.equal(await bench.moveAll('u', 'v'), 1)
    assert.deepEqual(await placesOf(bench, 'b/1'), [positionAt('t', 5), positionAt('v', 0)])
  },
}
