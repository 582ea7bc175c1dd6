import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSharedHost, shortenLabel } from './node-labels.ts'
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
