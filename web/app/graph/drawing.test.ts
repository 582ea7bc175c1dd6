import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEPTH_COLOURS, HOST_COLOURS, mainColour, makeColourScale } from './colour-scale.ts'
import { selectDrawnEdges } from './drawn-edges.ts'
import { createModel, type GraphNode } from './graph-model.ts'
import { assignInitialPositions } from './initial-positions.ts'
import { makeSizeScale } from './size-scale.ts'
import { makeEdge, makeGraphResponse, makeNode } from './testing/graph-response.ts'

test('lineage edges come first, then the heaviest links up to the limit', () => {
  const nodes = [makeNode('1'), makeNode('2', { parent: '1' }), makeNode('3', { parent: '2' })]
  const model = createModel(
    makeGraphResponse(nodes, [makeEdge('1', '2', 2), makeEdge('3', '1', 1), makeEdge('1', '3', 5)]),
  )
  assert.deepEqual(
    selectDrawnEdges(model, 'lineage', 10).map((e) => e.key),
    ['1>2', '2>3'],
  )
  assert.deepEqual(
    selectDrawnEdges(model, 'links', 3).map((e) => [e.key, e.links, e.isLineage]),
    [
      ['1>2', 2, true],
      ['2>3', 1, true],
      ['1>3', 5, false],
    ],
  )
})

const count = (entries: { count: number }[]) => entries.reduce((sum, entry) => sum + entry.count, 0)

test('every part of a node has a colour of the legend, and the legend counts each URL once', () => {
  const nodes = Array.from({ length: 40 }, (_, i) =>
    makeNode(String(i + 1), { host: `h${i % 12}.test`, depth: i % 11, state: i % 2 === 0 ? 'visited' : 'failed' }),
  )
  for (const choice of ['state', 'host', 'depth'] as const) {
    const { legend, partsOf } = makeColourScale(nodes, choice)
    assert.equal(count(legend), nodes.length)
    const colours = new Set(legend.map((entry) => entry.colour))
    for (const { colour } of nodes.flatMap(partsOf)) assert.ok(colours.has(colour), colour)
  }
  assert.equal(makeColourScale(nodes, 'host').legend.length, HOST_COLOURS + 1)
})

test('a group has a part for each state, and the legend counts their URLs', () => {
  const group = (id: string, states: GraphNode['states'], left_out = 0) =>
    makeNode(id, {
      url_id: null,
      state: null,
      states,
      left_out,
      urls: count(Object.values(states ?? {}).map((n) => ({ count: n }))),
    })
  const nodes = [group('1', { visited: 3, failed: 9 }), group('2', { visited: 4, excluded: 5 }, 2)]
  const { legend, partsOf } = makeColourScale(nodes, 'state')
  assert.deepEqual(
    nodes.map((node) => partsOf(node).map((part) => `${part.colour} ${part.count}`)),
    [
      ['state-visited 3', 'state-failed 9'],
      ['state-visited 4', 'state-left-out 2', 'state-excluded 3'],
    ],
  )
  assert.deepEqual(mainColour(partsOf(group('1', { visited: 3, failed: 9 }))), 'state-failed')
  assert.deepEqual(
    legend.map(({ label, count }) => [label, count]),
    [
      ['Failed', 9],
      ['Visited', 7],
      ['Excluded', 3],
      ['Not visited before the crawl ended', 2],
    ],
  )
})

test('the colours of depths are spread over the depths that there are', () => {
  const legend = (...depths: number[]) =>
    makeColourScale(
      depths.map((depth, i) => makeNode(String(i), { depth })),
      'depth',
    ).legend.map(({ colour, label }) => [colour, label])
  assert.deepEqual(legend(2), [['depth-0', 'Depth 2']])
  assert.deepEqual(legend(0, 5, 9), [
    ['depth-0', 'Depth 0'],
    ['depth-4', 'Depth 5'],
    ['depth-7', 'Depth 9'],
  ])
  const many = legend(...Array.from({ length: 16 }, (_, i) => i))
  assert.equal(many.length, DEPTH_COLOURS)
  assert.deepEqual(
    [many[0], many.at(-1)],
    [
      ['depth-0', 'Depth 0 to 1'],
      ['depth-7', 'Depth 14 to 15'],
    ],
  )
})

test('the host with the most URLs has the first colour', () => {
  const { partsOf } = makeColourScale(
    [makeNode('1', { host: 'a.test' }), makeNode('2', { host: 'b.test' }), makeNode('3', { host: 'b.test' })],
    'host',
  )
  assert.deepEqual(partsOf(makeNode('9', { host: 'b.test' })), [{ colour: 'host-0', count: 1 }])
})

test('URLs are sized by link rank, groups by their number of URLs', () => {
  const url = makeSizeScale([makeNode('1', { rank: 0.4 }), makeNode('2', { rank: 0.1 }), makeNode('3', { rank: 0 })])
  assert.ok(url(makeNode('1', { rank: 0.4 })) > url(makeNode('2', { rank: 0.1 })))
  assert.ok(url(makeNode('3', { rank: 0 })) > 0)
  const group = makeSizeScale([makeNode('1', { url_id: null, urls: 500 }), makeNode('2', { url_id: null, urls: 5 })])
  assert.ok(group(makeNode('1', { url_id: null, urls: 500 })) > group(makeNode('2', { url_id: null, urls: 5 })))
  assert.ok(Number.isFinite(makeSizeScale([])(makeNode('1'))))
})

test('a new node starts beside its parent, and no two nodes start at the same position', () => {
  const known = new Map([['1', { x: 100, y: 50 }]])
  const added = [
    makeNode('4', { parent: '3' }),
    makeNode('2', { parent: '1' }),
    makeNode('3', { parent: '1' }),
    makeNode('5'),
  ]
  const positions = assignInitialPositions(added, known)
  assert.equal(positions.size, 4)
  const beside = positions.get('2')
  assert.ok(beside !== undefined && Math.hypot(beside.x - 100, beside.y - 50) < 10)
  assert.equal(new Set([...positions.values()].map((p) => `${p.x},${p.y}`)).size, 4)
  assert.deepEqual(assignInitialPositions(added, known), positions)
})

test('cyclic parents and very long chains of parents get positions', () => {
  assert.equal(
    assignInitialPositions([makeNode('1', { parent: '2' }), makeNode('2', { parent: '1' })], new Map()).size,
    2,
  )
  const chain = Array.from({ length: 20_000 }, (_, i) => makeNode(String(i), { parent: String(i + 1) }))
  assert.equal(assignInitialPositions(chain, new Map()).size, 20_000)
})
