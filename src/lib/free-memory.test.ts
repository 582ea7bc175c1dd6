import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeMemory } from './free-memory.ts'

test('the memory of a buffer is freed, with all views of it', () => {
  const buffer = Buffer.allocUnsafeSlow(100_000)
  const codes = new Uint16Array(buffer.buffer, 0, 10)
  freeMemory(buffer.subarray(0, 90_000))
  assert.equal(buffer.length, 0)
  assert.equal(codes.length, 0)
})

test('freeing twice is harmless', () => {
  const codes = new Uint16Array(100_000)
  freeMemory(codes)
  freeMemory(codes)
  assert.equal(codes.length, 0)
})

test("buffers of Node's pool and shared memory are left alone", () => {
  const pooled = Buffer.from('a')
  const neighbour = Buffer.from('b')
  const shared = new Uint8Array(new SharedArrayBuffer(10))
  freeMemory(pooled)
  freeMemory(shared)
  assert.equal(pooled.toString() + neighbour.toString(), 'ab')
  assert.equal(shared.length, 10)
})
