import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNodes } from './find-nodes.ts'
import { createModel } from './graph-model.ts'
import { makeGraphResponse, makeNode } from './testing/graph-response.ts'

const model = createModel(
  makeGraphResponse([
    makeNode('1', { label: 'http://a.test/Docs/start', rank: 0.1 }),
    makeNode('2', { label: 'http://a.test/docs/end', rank: 0.5 }),
    makeNode('3', { label: 'http://b.test/', rank: 0.9 }),
  ]),
)

test('nodes are found by parts of their label, ignoring case, best linked first', () => {
  assert.deepEqual(
    findNodes(model, 'docs A.TEST', 10).map((n) => n.id),
    ['2', '1'],
  )
  assert.deepEqual(
    findNodes(model, 'docs', 1).map((n) => n.id),
    ['2'],
  )
})

test('an empty text finds nothing', () => {
  assert.deepEqual(findNodes(model, '  ', 10), [])
})
