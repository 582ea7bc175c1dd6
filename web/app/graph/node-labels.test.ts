import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSharedHost, labelX, shortenLabel } from './node-labels.ts'
import { makeNode } from './testing/graph-response.ts'

test('labels omit a host that all nodes share', () => {
  const nodes = [makeNode('1', { host: 'a.test' }), makeNode('2', { host: 'a.test' })]
  assert.equal(findSharedHost(nodes), 'a.test')
  assert.equal(findSharedHost([...nodes, makeNode('3', { host: 'b.test' })]), null)
  assert.equal(findSharedHost([]), null)
  assert.equal(shortenLabel('https://a.test/x?y', 'a.test'), '/x?y')
  assert.equal(shortenLabel('http://a.test:81/x', 'a.test'), 'a.test:81/x')
  assert.equal(shortenLabel('a.test', 'a.test'), 'a.test')
  assert.equal(shortenLabel('http://a.test/x', null), 'a.test/x')
})

test('a long label keeps both ends', () => {
  const short = shortenLabel(`a.test/${'x'.repeat(200)}/the-end`, null)
  assert.ok(short.length <= 44)
  assert.ok(short.startsWith('a.test/') && short.endsWith('/the-end'))
})

test('a label is right of its node, or left of it at the edge of the canvas', () => {
  const [size, stage] = [6, 300]
  assert.equal(labelX({ x: 100, size }, 80, stage), 110)
  assert.equal(labelX({ x: 210, size }, 80, stage), 220)
  assert.equal(labelX({ x: 211, size }, 80, stage), 121)
  // No room on either side.
  assert.equal(labelX({ x: 60, size }, 250, stage), 70)
})
