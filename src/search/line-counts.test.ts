import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addLines, LineChanges, packLines, unpackLines } from './line-counts.ts'

it('lines are counted up and down, and those that are gone are left out', () => {
  const known = addLines(
    new Map(),
    new Map([
      [1, 2],
      [-5, 1],
      [7, 1],
    ]),
  )
  const after = addLines(
    known,
    new Map([
      [1, 1],
      [-5, -1],
      [9, -1],
    ]),
  )
  assert.deepEqual(
    [...after],
    [
      [1, 3],
      [7, 1],
    ],
  )
})

it('a host with too many lines keeps those that several documents have, and of many such the commonest', () => {
  const many = new Map(Array.from({ length: 501 }, (_, i) => [i, i === 500 ? 4 : 1]))
  const left = addLines(many, new Map([[499, 1]]))
  assert.deepEqual([...left].sort(), [
    [499, 2],
    [500, 4],
  ])
  const common = new Map(Array.from({ length: 501 }, (_, i) => [i, 2 + i]))
  const commonest = addLines(common, new Map())
  assert.deepEqual([commonest.size, commonest.has(500), commonest.has(250)], [250, true, false])
})

it('counts are read back as they were written', () => {
  const counts = new Map([
    [0x7fff_ffff, 1],
    [-0x8000_0000, 65_535],
    [0, 3],
  ])
  assert.deepEqual(unpackLines(packLines(counts)), counts)
})

it('changes of a host add up, and are taken once', () => {
  const changes = new LineChanges()
  changes.add('b.test', [1, 2], 1)
  changes.add('b.test', [2], -1)
  changes.add('a.test', [1], 1)
  changes.add('a.test', [], 1)
  assert.deepEqual(changes.take(), [
    ['a.test', new Map([[1, 1]])],
    [
      'b.test',
      new Map([
        [1, 1],
        [2, 0],
      ]),
    ],
  ])
  assert.deepEqual(changes.take(), [])
})
