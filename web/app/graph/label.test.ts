import assert from 'node:assert/strict'
import { test } from 'node:test'
import { node } from './fixture.ts'
import { labelStart, onlyHost, shortLabel } from './label.ts'

test('a host that all nodes have is left out of their labels', () => {
  const nodes = [node('1', { host: 'a.test' }), node('2', { host: 'a.test' })]
  assert.equal(onlyHost(nodes), 'a.test')
  assert.equal(onlyHost([...nodes, node('3', { host: 'b.test' })]), null)
  assert.equal(onlyHost([]), null)
  assert.equal(shortLabel('https://a.test/x?y', 'a.test'), '/x?y')
  assert.equal(shortLabel('http://a.test:81/x', 'a.test'), 'a.test:81/x')
  assert.equal(shortLabel('a.test', 'a.test'), 'a.test')
  assert.equal(shortLabel('http://a.test/x', null), 'a.test/x')
})

test('a long label keeps both its ends', () => {
  const short = shortLabel(`a.test/${'x'.repeat(200)}/the-end`, null)
  assert.ok(short.length <= 44)
  assert.ok(short.startsWith('a.test/') && short.endsWith('/the-end'))
})

test('a label stands right of its node, and left of it where the picture ends', () => {
  const [size, stage] = [6, 300]
  assert.equal(labelStart({ x: 100, size }, 80, stage), 110)
  assert.equal(labelStart({ x: 210, size }, 80, stage), 220)
  assert.equal(labelStart({ x: 211, size }, 80, stage), 121)
  // There is no room on either side.
  assert.equal(labelStart({ x: 60, size }, 250, stage), 70)
})
