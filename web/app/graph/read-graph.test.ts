import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphResponse } from './graph-model.ts'
import { type GraphQuery, type GraphSelection, MAX_GROUPS, readGraph } from './read-graph.ts'
import { makeGraphResponse, makeNode } from './testing/graph-response.ts'

const SELECTION: GraphSelection = { group: 'auto', limit: 3, around: null, under: null, open: [], isLarge: false }

/** Returns these responses in turn and records the queries. */
function fakeServer(...responses: GraphResponse[]) {
  const queries: GraphQuery[] = []
  const fetchGraph = async (query: GraphQuery): Promise<GraphResponse> => {
    queries.push(query)
    const next = responses.shift()
    assert.ok(next, 'too many queries')
    return next
  }
  return { queries, fetchGraph }
}

test('the first read is in full, later ones read the changes', async () => {
  const { queries, fetchGraph } = fakeServer(
    makeGraphResponse([makeNode('1')], [], { version: 'v1' }),
    makeGraphResponse([makeNode('2')], [], { version: 'v2', total_nodes: 2 }),
  )
  const first = await readGraph(null, SELECTION, fetchGraph)
  const second = await readGraph(first, SELECTION, fetchGraph)
  assert.deepEqual(queries, [
    { group: 'auto', limit: 3 },
    { group: 'url', limit: 3, since: 'v1' },
  ])
  assert.equal(second.model, first.model)
  assert.notEqual(second, first)
  assert.deepEqual([...second.model.nodes.keys()], ['1', '2'])
})

test('changes that do not fit one response are read in pages', async () => {
  const { queries, fetchGraph } = fakeServer(
    makeGraphResponse([makeNode('1')], [], { version: 'v1' }),
    makeGraphResponse([makeNode('1'), makeNode('2'), makeNode('3')], [], { version: 'v2' }),
    makeGraphResponse([makeNode('3')], [], { version: 'v3' }),
  )
  const first = await readGraph(null, SELECTION, fetchGraph)
  await readGraph(first, SELECTION, fetchGraph)
  assert.deepEqual(
    queries.map((query) => query.since),
    [undefined, 'v1', 'v2'],
  )
})

test('a crawl that outgrew the limit is read in full, so that the server can group it', async () => {
  const { queries, fetchGraph } = fakeServer(
    makeGraphResponse([makeNode('1')], [], { total_nodes: 9 }),
    makeGraphResponse([makeNode('g', { url_id: null, urls: 5 }), makeNode('h', { url_id: null, urls: 4 })], [], {
      group: 'path',
    }),
  )
  const first = await readGraph(null, SELECTION, fetchGraph)
  const second = await readGraph(first, { ...SELECTION, isLarge: true }, fetchGraph)
  assert.equal(queries[1]?.since, undefined)
  assert.equal(second.model.group, 'path')
})

test('neighbourhoods are always read in full', async () => {
  const near = fakeServer(makeGraphResponse([makeNode('7')]), makeGraphResponse([makeNode('7')]))
  const selection = { ...SELECTION, around: 7 }
  await readGraph(await readGraph(null, selection, near.fetchGraph), selection, near.fetchGraph)
  assert.deepEqual(near.queries, [
    { group: 'auto', limit: 3, around: 7 },
    { group: 'auto', limit: 3, around: 7 },
  ])
})

const group = (id: string) => makeNode(id, { url_id: null, state: null, urls: 50 })
const tooMany = makeGraphResponse([makeNode('1'), makeNode('2'), makeNode('3')], [], { total_nodes: 9 })

test('a large crawl is read as groups, up to a readable number, with those that are open', async () => {
  const { queries, fetchGraph } = fakeServer(makeGraphResponse([group('a'), group('b')], [], { group: 'path' }))
  await readGraph(null, { ...SELECTION, limit: 3000, isLarge: true, open: ['a/x', 'b'] }, fetchGraph)
  assert.deepEqual(queries, [{ group: 'path', limit: MAX_GROUPS, open: 'a/x b' }])
})

test('a group with too many URLs is shown as the groups in it', async () => {
  const { queries, fetchGraph } = fakeServer(
    tooMany,
    makeGraphResponse([group('a/x'), group('a/y')], [], { group: 'path' }),
  )
  const { model } = await readGraph(null, { ...SELECTION, under: 'a' }, fetchGraph)
  assert.deepEqual(
    queries.map((query) => query.group),
    ['url', 'path'],
  )
  assert.equal(model.nodes.size, 2)
})

test('a single group is opened', async () => {
  const { queries, fetchGraph } = fakeServer(
    makeGraphResponse([group('a')], [], { group: 'path' }),
    makeGraphResponse([makeNode('1'), makeNode('2')], [], { group: 'path' }),
  )
  const { model } = await readGraph(null, { ...SELECTION, isLarge: true }, fetchGraph)
  assert.deepEqual(
    queries.map((query) => query.open),
    [undefined, group('a').label],
  )
  assert.deepEqual([...model.nodes.keys()], ['1', '2'])
})
