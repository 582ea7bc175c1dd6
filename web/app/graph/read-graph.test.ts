import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphResponse } from './graph-model.ts'
import { type GraphQuery, type GraphSelection, MAX_GROUPS, readGraph } from './read-graph.ts'
import { makeGraphResponse, makeNode } from './testing/graph-response.ts'

const WISH: GraphSelection = { group: 'auto', limit: 3, around: null, under: null, isLarge: false }

/** Gives these answers in turn and keeps what was asked. */
function server(...answers: GraphResponse[]) {
  const asked: GraphQuery[] = []
  const ask = async (query: GraphQuery): Promise<GraphResponse> => {
    asked.push(query)
    const next = answers.shift()
    assert.ok(next, 'asked too often')
    return next
  }
  return { asked, ask }
}

test('the first reading asks for all, later ones for what came since', async () => {
  const { asked, ask } = server(
    makeGraphResponse([makeNode('1')], [], { version: 'v1' }),
    makeGraphResponse([makeNode('2')], [], { version: 'v2', total_nodes: 2 }),
  )
  const first = await readGraph(null, WISH, ask)
  const second = await readGraph(first, WISH, ask)
  assert.deepEqual(asked, [
    { group: 'auto', limit: 3 },
    { group: 'url', limit: 3, since: 'v1' },
  ])
  assert.equal(second.model, first.model)
  assert.notEqual(second, first)
  assert.deepEqual([...second.model.nodes.keys()], ['1', '2'])
})

test('growth that does not fit one answer is read in pieces', async () => {
  const { asked, ask } = server(
    makeGraphResponse([makeNode('1')], [], { version: 'v1' }),
    makeGraphResponse([makeNode('1'), makeNode('2'), makeNode('3')], [], { version: 'v2' }),
    makeGraphResponse([makeNode('3')], [], { version: 'v3' }),
  )
  const first = await readGraph(null, WISH, ask)
  await readGraph(first, WISH, ask)
  assert.deepEqual(
    asked.map((query) => query.since),
    [undefined, 'v1', 'v2'],
  )
})

test('a crawl that outgrew the limit is read anew, so that the server may group it', async () => {
  const { asked, ask } = server(
    makeGraphResponse([makeNode('1')], [], { total_nodes: 9 }),
    makeGraphResponse([makeNode('g', { url_id: null, urls: 5 }), makeNode('h', { url_id: null, urls: 4 })], [], {
      group: 'path',
    }),
  )
  const first = await readGraph(null, WISH, ask)
  const second = await readGraph(first, WISH, ask)
  assert.equal(asked[1]?.since, undefined)
  assert.equal(second.model.group, 'path')
})

test('neighbourhoods are read whole each time', async () => {
  const near = server(makeGraphResponse([makeNode('7')]), makeGraphResponse([makeNode('7')]))
  const wish = { ...WISH, around: 7 }
  await readGraph(await readGraph(null, wish, near.ask), wish, near.ask)
  assert.deepEqual(near.asked, [
    { group: 'auto', limit: 3, around: 7 },
    { group: 'auto', limit: 3, around: 7 },
  ])
})

const group = (id: string) => makeNode(id, { url_id: null, state: null, urls: 50 })
const tooMany = makeGraphResponse([makeNode('1'), makeNode('2'), makeNode('3')], [], { is_complete: false })

test('a large crawl is asked for as groups, and for no more of them than can be read', async () => {
  const { asked, ask } = server(makeGraphResponse([group('a'), group('b')], [], { group: 'path' }))
  await readGraph(null, { ...WISH, limit: 3000, isLarge: true }, ask)
  assert.deepEqual(asked, [{ group: 'path', limit: MAX_GROUPS }])
})

test('a group that does not fit is shown as the groups in it', async () => {
  const { asked, ask } = server(tooMany, makeGraphResponse([group('a/x'), group('a/y')], [], { group: 'path' }))
  const { model } = await readGraph(null, { ...WISH, under: 'a' }, ask)
  assert.deepEqual(
    asked.map((query) => query.group),
    ['url', 'path'],
  )
  assert.equal(model.nodes.size, 2)
})

test('a group without groups in it is shown as the urls that fit', async () => {
  const { ask } = server(tooMany, makeGraphResponse([group('a')], [], { group: 'path' }))
  const { model } = await readGraph(null, { ...WISH, under: 'a' }, ask)
  assert.deepEqual([...model.nodes.keys()], ['1', '2', '3'])
})

test('a crawl that is all one group is shown as the best linked urls that fit', async () => {
  const { asked, ask } = server(makeGraphResponse([group('a')], [], { group: 'path' }), tooMany)
  const { model } = await readGraph(null, WISH, ask)
  assert.deepEqual(asked[1], { group: 'url', limit: 3, by: 'rank' })
  assert.equal(model.group, 'url')
})
