import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNodes } from './find.ts'
import { answer, node } from './fixture.ts'
import { startModel } from './model.ts'

const model = startModel(
  answer([
    node('1', { label: 'http://a.test/Docs/start', rank: 0.1 }),
    node('2', { label: 'http://a.test/docs/end', rank: 0.5 }),
    node('3', { label: 'http://b.test/', rank: 0.9 }),
  ]),
)

test('nodes are found by parts of their name in any case, the best linked first', () => {
  assert.deepEqual(
    findNodes(model, 'docs A.TEST', 10).map((n) => n.id),
    ['2', '1'],
  )
  assert.deepEqual(
    findNodes(model, 'docs', 1).map((n) => n.id),
    ['2'],
  )
})

test('no words find nothing', () => {
  assert.deepEqual(findNodes(model, '  ', 10), [])
})
