import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, edge, node } from './fixture.ts'
import { growModel, neighboursOf, startModel } from './model.ts'

test('a model holds the nodes and edges of an answer', () => {
  const model = startModel(answer([node('1'), node('2')], [edge('1', '2')], { version: 'v7', total_nodes: 9 }))
  assert.deepEqual([...model.nodes.keys()], ['1', '2'])
  assert.deepEqual([...model.edges.keys()], ['1>2'])
  assert.equal(model.version, 'v7')
  assert.equal(model.totalNodes, 9)
})

test('growth tells what is new and what has changed, and leaves out what is the same', () => {
  const model = startModel(answer([node('1', { state: 'queued' }), node('2')]))
  const growth = growModel(model, answer([node('1', { state: 'visited' }), node('2'), node('3')], [edge('1', '3')]))
  assert.deepEqual(
    growth.added.map((n) => n.id),
    ['3'],
  )
  assert.deepEqual(
    growth.changed.map((n) => n.id),
    ['1'],
  )
  assert.deepEqual(growth.addedEdges, [edge('1', '3')])
})

test('an edge waits until both its ends are there', () => {
  const model = startModel(answer([node('1')], [edge('1', '2')]))
  assert.equal(model.edges.size, 0)
  const growth = growModel(model, answer([node('2')]))
  assert.deepEqual(growth.addedEdges, [edge('1', '2')])
  assert.equal(model.waiting.size, 0)
})

test('an edge that comes again is not new, but counts its links anew', () => {
  const model = startModel(answer([node('1'), node('2')], [edge('1', '2', 1)]))
  const growth = growModel(model, answer([], [edge('1', '2', 4)]))
  assert.deepEqual(growth.addedEdges, [])
  assert.equal(model.edges.get('1>2')?.links, 4)
})

test('a link of a page to itself is no edge', () => {
  assert.equal(startModel(answer([node('1')], [edge('1', '1')])).edges.size, 0)
})

test('neighbours are those on either end of a link', () => {
  const edges = [edge('1', '2'), edge('3', '1'), edge('2', '3')]
  assert.deepEqual([...neighboursOf(edges, '1')].sort(), ['2', '3'])
})
