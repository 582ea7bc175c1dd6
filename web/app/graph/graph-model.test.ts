import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createModel, findNeighbours, updateModel } from './graph-model.ts'
import { makeEdge, makeGraphResponse, makeNode } from './testing/graph-response.ts'

test('a model holds the nodes and edges of an answer', () => {
  const model = createModel(
    makeGraphResponse([makeNode('1'), makeNode('2')], [makeEdge('1', '2')], { version: 'v7', total_nodes: 9 }),
  )
  assert.deepEqual([...model.nodes.keys()], ['1', '2'])
  assert.deepEqual([...model.edges.keys()], ['1>2'])
  assert.equal(model.version, 'v7')
  assert.equal(model.totalNodes, 9)
})

test('growth tells what is new and what has changed, and leaves out what is the same', () => {
  const model = createModel(makeGraphResponse([makeNode('1', { state: 'queued' }), makeNode('2')]))
  const graphChanges = updateModel(
    model,
    makeGraphResponse([makeNode('1', { state: 'visited' }), makeNode('2'), makeNode('3')], [makeEdge('1', '3')]),
  )
  assert.deepEqual(
    graphChanges.added.map((n) => n.id),
    ['3'],
  )
  assert.deepEqual(
    graphChanges.changed.map((n) => n.id),
    ['1'],
  )
  assert.deepEqual(graphChanges.addedEdges, [makeEdge('1', '3')])
})

test('an edge waits until both its ends are there', () => {
  const model = createModel(makeGraphResponse([makeNode('1')], [makeEdge('1', '2')]))
  assert.equal(model.edges.size, 0)
  const graphChanges = updateModel(model, makeGraphResponse([makeNode('2')]))
  assert.deepEqual(graphChanges.addedEdges, [makeEdge('1', '2')])
  assert.equal(model.pendingEdges.size, 0)
})

test('an edge that comes again is not new, but counts its links anew', () => {
  const model = createModel(makeGraphResponse([makeNode('1'), makeNode('2')], [makeEdge('1', '2', 1)]))
  const graphChanges = updateModel(model, makeGraphResponse([], [makeEdge('1', '2', 4)]))
  assert.deepEqual(graphChanges.addedEdges, [])
  assert.equal(model.edges.get('1>2')?.links, 4)
})

test('a link of a page to itself is no edge', () => {
  assert.equal(createModel(makeGraphResponse([makeNode('1')], [makeEdge('1', '1')])).edges.size, 0)
})

test('neighbours are those on either end of a link', () => {
  const edges = [makeEdge('1', '2'), makeEdge('3', '1'), makeEdge('2', '3')]
  assert.deepEqual([...findNeighbours(edges, '1')].sort(), ['2', '3'])
})
