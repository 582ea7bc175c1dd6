import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { LineCounter, packLineCounts, unpackLineCounts } from './line-counts.ts'

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

it('lines are counted up and down, and lines without documents are dropped', () => {
  const counter = new LineCounter(
    new Map([
      [1, 2],
      [-5, 1],
      [7, 1],
    ]),
  )
  counter.remove([-5, 9])
  counter.add([1])
  assert.deepEqual(
    [...counter.counts],
    [
      [1, 3],
      [7, 1],
    ],
  )
})

it('a host with too many lines keeps the repeated ones, and of many such the most common', () => {
  const counter = new LineCounter(new Map(numbers(0, 500).map((line) => [line, line === 499 ? 4 : 1])))
  counter.add([498])
  assert.equal(counter.counts.size, 500)
  counter.add([500])
  assert.deepEqual([...counter.counts].sort(), [
    [498, 2],
    [499, 4],
  ])
  const common = new LineCounter(new Map(numbers(0, 500).map((line) => [line, 2 + line])))
  common.add([500])
  assert.deepEqual(
    [common.counts.size, common.countOf(499), common.countOf(250), common.countOf(249)],
    [250, 501, 252, 0],
  )
})

it('counts are read back as they were written', () => {
  const counts = new Map([
    [0x7fff_ffff, 1],
    [-0x8000_0000, 65_535],
    [0, 3],
  ])
  assert.deepEqual(unpackLineCounts(packLineCounts(counts)), counts)
})

it('counts are the same wherever batches end', () => {
  const lines = fc.uniqueArray(fc.integer({ min: 0, max: 900 }), { maxLength: 100 })
  const pages = fc.array(fc.record({ lines, endsBatch: fc.boolean() }), { minLength: 10, maxLength: 40 })
  fc.assert(
    fc.property(pages, (all) => {
      const whole = new LineCounter()
      let counter = new LineCounter()
      for (const page of all) {
        whole.add(page.lines)
        counter.add(page.lines)
        if (page.endsBatch) counter = new LineCounter(unpackLineCounts(packLineCounts(counter.counts)))
      }
      assert.deepEqual(counter.counts, whole.counts)
    }),
  )
})
