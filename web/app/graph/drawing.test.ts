import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourScale, DEPTH_COLOURS, HOST_COLOURS } from './colour.ts'
import { drawnEdges } from './edges.ts'
import { answer, edge, node } from './fixture.ts'
import { type GraphNode, startModel } from './model.ts'
import { placeNodes } from './place.ts'
import { sizeScale } from './size.ts'

test('the lineage is drawn first, and links fill up what the bound leaves, the heaviest first', () => {
  const nodes = [node('1'), node('2', { parent: '1' }), node('3', { parent: '2' })]
  const model = startModel(answer(nodes, [edge('1', '2', 2), edge('3', '1', 1), edge('1', '3', 5)]))
  assert.deepEqual(
    drawnEdges(model, 'lineage', 10).map((e) => e.key),
    ['1>2', '2>3'],
  )
  assert.deepEqual(
    drawnEdges(model, 'links', 3).map((e) => [e.key, e.links, e.isLineage]),
    [
      ['1>2', 2, true],
      ['2>3', 1, true],
      ['1>3', 5, false],
    ],
  )
})

test('every node has a colour of the legend, and the legend counts every node once', () => {
  const nodes = Array.from({ length: 40 }, (_, i) =>
    node(String(i + 1), { host: `h${i % 12}.test`, depth: i % 11, state: i % 2 === 0 ? 'visited' : 'failed' }),
  )
  for (const choice of ['state', 'host', 'depth'] as const) {
    const { legend, colourOf } = colourScale(nodes, choice)
    assert.equal(
      legend.reduce((sum, entry) => sum + entry.count, 0),
      nodes.length,
    )
    const colours = new Set(legend.map((entry) => entry.colour))
    for (const each of nodes) assert.ok(colours.has(colourOf(each)), colourOf(each))
  }
  assert.equal(colourScale(nodes, 'host').legend.length, HOST_COLOURS + 1)
  assert.equal(colourScale(nodes, 'depth').legend.at(-1)?.label, `depth ${DEPTH_COLOURS} and more`)
})

test('a group has the colour of the state that most of its urls are in', () => {
  const group = (id: string, states: GraphNode['states']) => node(id, { url_id: null, state: null, states })
  const nodes = [
    group('1', { visited: 3, failed: 9 }),
    group('2', { visited: 4, queued: 1 }),
    group('3', { queued: 2 }),
  ]
  const { legend, colourOf } = colourScale(nodes, 'state')
  assert.deepEqual(nodes.map(colourOf), ['state-failed', 'state-visited', 'state-queued'])
  assert.deepEqual(
    legend.map(({ label }) => label),
    ['mostly failed', 'mostly visited', 'queued'],
  )
})

test('what is of one state alone is not called mostly so, and one mixed group among many is', () => {
  const group = (id: string, states: GraphNode['states']) => node(id, { url_id: null, state: null, states })
  const labels = (...nodes: GraphNode[]) => colourScale(nodes, 'state').legend.map(({ label }) => label)
  assert.deepEqual(labels(group('1', { not_found: 3 }), group('2', { not_found: 1, queued: 0 })), ['not found'])
  assert.deepEqual(labels(group('1', { visited: 3 }), group('2', { visited: 5, failed: 1 })), ['mostly visited'])
  assert.deepEqual(labels(node('1', { state: 'visited' })), ['visited'])
})

test('the host with the most urls has the first colour', () => {
  const { colourOf } = colourScale(
    [node('1', { host: 'a.test' }), node('2', { host: 'b.test' }), node('3', { host: 'b.test' })],
    'host',
  )
  assert.equal(colourOf(node('9', { host: 'b.test' })), 'host-0')
})

test('a url is as large as its rank says, a group as its urls say', () => {
  const url = sizeScale([node('1', { rank: 0.4 }), node('2', { rank: 0.1 }), node('3', { rank: 0 })])
  assert.ok(url(node('1', { rank: 0.4 })) > url(node('2', { rank: 0.1 })))
  assert.ok(url(node('3', { rank: 0 })) > 0)
  const group = sizeScale([node('1', { url_id: null, urls: 500 }), node('2', { url_id: null, urls: 5 })])
  assert.ok(group(node('1', { url_id: null, urls: 500 })) > group(node('2', { url_id: null, urls: 5 })))
  assert.ok(Number.isFinite(sizeScale([])(node('1'))))
})

test('a new node starts beside its parent, and no two start in one place', () => {
  const known = new Map([['1', { x: 100, y: 50 }]])
  const added = [node('4', { parent: '3' }), node('2', { parent: '1' }), node('3', { parent: '1' }), node('5')]
  const places = placeNodes(added, known)
  assert.equal(places.size, 4)
  const beside = places.get('2')
  assert.ok(beside !== undefined && Math.hypot(beside.x - 100, beside.y - 50) < 10)
  assert.equal(new Set([...places.values()].map((p) => `${p.x},${p.y}`)).size, 4)
  assert.deepEqual(placeNodes(added, known), places)
})

test('parents that go in a ring, and very long lines of them, are placed all the same', () => {
  assert.equal(placeNodes([node('1', { parent: '2' }), node('2', { parent: '1' })], new Map()).size, 2)
  const line = Array.from({ length: 20_000 }, (_, i) => node(String(i), { parent: String(i + 1) }))
  assert.equal(placeNodes(line, new Map()).size, 20_000)
})
