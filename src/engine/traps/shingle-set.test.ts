import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShingleSet } from './shingle-set.ts'

/** Numbers spread as hashes are. */
function hashOf(i: number): number {
  const mixed = Math.imul(i ^ (i >>> 16), 0x85ebca6b)
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0
}

test('a hash is new once', () => {
  const set = new ShingleSet(1 << 12)
  assert.equal(set.add(7), true)
  assert.equal(set.add(7), false)
  assert.equal(set.add(0), true)
  assert.equal(set.add(0), false)
})

test('next to nothing is forgotten while there is room', () => {
  const set = new ShingleSet(1 << 15)
  for (let i = 0; i < 10_000; i++) set.add(hashOf(i))
  let forgotten = 0
  for (let i = 0; i < 10_000; i++) if (set.add(hashOf(i))) forgotten += 1
  assert.ok(forgotten < 40, `${forgotten} forgotten`)
})

test('its size is bounded', () => {
  const set = new ShingleSet(1 << 12)
  for (let i = 0; i < 100_000; i++) set.add(hashOf(i))
  assert.equal(set.size, 1 << 12)
})

test('what comes again and again stays, whatever passes by', () => {
  const set = new ShingleSet(1 << 12)
  const template = Array.from({ length: 300 }, (_, i) => hashOf(i))
  let forgotten = 0
  for (let page = 0; page < 500; page++) {
    for (let i = 0; i < 200; i++) set.add(hashOf(1000 + page * 200 + i))
    for (const hash of template) if (set.add(hash) && page > 2) forgotten += 1
  }
  assert.ok(forgotten < 10, `${forgotten} forgotten`)
})
