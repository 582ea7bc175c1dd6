import assert from 'node:assert/strict'
import { it } from 'node:test'
import { KeyTable } from './key-table.ts'

it('finds every key that was added, and no other', () => {
  const table = new KeyTable(1000)
  for (let i = 0; i < 1000; i++) table.set(i % 7, i, i)
  for (let i = 0; i < 1000; i++) assert.equal(table.find(i % 7, i), i)
  assert.equal(table.find(3, 1000), -1)
  assert.equal(table.find(8, 1), -1)
})

it('handles keys that use all 64 bits, including zero', () => {
  const keys = [0n, -1n, -(2n ** 63n), 2n ** 63n - 1n, 5n]
  const table = new KeyTable(keys.length)
  const halves = (key: bigint) => [Number(key & 0xffff_ffffn), Number((key >> 32n) & 0xffff_ffffn)] as const
  keys.forEach((key, i) => {
    table.set(...halves(key), i)
  })
  const targets = new Uint8Array(new BigInt64Array([5n, 77n, -(2n ** 63n), 0n, 2n ** 63n - 1n, -1n]).buffer)
  assert.deepEqual(table.positions(targets), [4, 2, 0, 3, 1])
})

it('an empty table finds nothing', () => {
  assert.equal(new KeyTable(0).find(0, 0), -1)
})
