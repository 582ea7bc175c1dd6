import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createModel, findNeighbours, updateModel } from './graph-model.ts'
import { makeEdge, makeGraphResponse, makeNode } from './testing/graph-response.ts'

test('a model has the nodes and edges of its response', () => {
  const model = createModel(
    makeGraphResponse([makeNode('1'), makeNode('2')], [makeEdge('1', '2')], { version: 'v7', total_nodes: 9 }),
  )
  assert.deepEqual([...model.nodes.keys()], ['1', '2'])
  assert.deepEqual([...model.edges.keys()], ['1>2'])
  assert.equal(model.version, 'v7')
  assert.equal(model.totalNodes, 9)
})

test('an update returns new and changed nodes only', () => {
  const model = createModel(makeGraphResponse([makeNode('1', { state: 'queued' }), makeNode('2')]))
  const changes = updateModel(
    model,
    makeGraphResponse([makeNode('1', { state: 'visited' }), makeNode('2'), makeNode('3')], [makeEdge('1', '3')]),
  )
  assert.deepEqual(
    changes.added.map((n) => n.id),
    ['3'],
  )
  assert.deepEqual(
    changes.changed.map((n) => n.id),
    ['1'],
  )
  assert.deepEqual(changes.addedEdges, [makeEdge('1', '3')])
})

test('an edge is pending until both of its nodes are known', () => {
  const model = createModel(makeGraphResponse([makeNode('1')], [makeEdge('1', '2')]))
  assert.equal(model.edges.size, 0)
  const changes = updateModel(model, makeGraphResponse([makeNode('2')]))
  assert.deepEqual(changes.addedEdges, [makeEdge('1', '2')])
  assert.equal(model.pendingEdges.size, 0)
})

test('a known edge is not new, but its link count is updated', () => {
  const model = createModel(makeGraphResponse([makeNode('1'), makeNode('2')], [makeEdge('1', '2', 1)]))
  const changes = updateModel(model, makeGraphResponse([], [makeEdge('1', '2', 4)]))
  assert.deepEqual(changes.addedEdges, [])
  assert.equal(model.edges.get('1>2')?.links, 4)
})

test('a link from a page to itself is not an edge', () => {
  assert.equal(createModel(makeGraphResponse([makeNode('1')], [makeEdge('1', '1')])).edges.size, 0)
})

test('neighbours are linked in either direction', () => {
  const edges = [makeEdge('1', '2'), makeEdge('3', '1'), makeEdge('2', '3')]
  assert.deepEqual([...findNeighbours(edges, '1')].sort(), ['2', '3'])
})
