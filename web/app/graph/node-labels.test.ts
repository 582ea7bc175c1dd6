import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMainHost, shortenLabel } from './node-labels.ts'
import { makeNode } from './testing/graph-response.ts'

test('labels omit the host of nearly all nodes', () => {
  const nodes = [makeNode('1', { host: 'a.test' }), makeNode('2', { host: 'a.test' })]
  assert.equal(findMainHost(nodes), 'a.test')
  assert.equal(findMainHost([...nodes, makeNode('3', { host: 'b.test' })]), null)
  const many = Array.from({ length: 9 }, (_, i) => makeNode(`a${i}`, { host: 'a.test' }))
  assert.equal(findMainHost([...many, makeNode('3', { host: 'b.test' })]), 'a.test')
  assert.equal(findMainHost([]), null)
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
