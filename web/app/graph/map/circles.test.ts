import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeNode } from '../testing/graph-response.ts'
import { type Circle, packCircles } from './circles.ts'

const group = (label: string, urls: number) => makeNode(label, { label, url_id: null, state: null, states: {}, urls })
const SITE = [group('a.test/docs/x', 30), group('a.test/docs/y', 20), group('a.test/blog', 60), group('b.test', 9)]
const named = (circles: Circle[]) => Object.fromEntries(circles.map((circle) => [circle.id, circle]))
const isInside = (inner: Circle | undefined, outer: Circle | undefined) =>
  inner !== undefined &&
  outer !== undefined &&
  Math.hypot(inner.x - outer.x, inner.y - outer.y) + inner.r <= outer.r + 1e-6

test('folders contain their parts, and no two parts overlap', () => {
  const circles = packCircles(SITE, 100)
  const at = named(circles)
  assert.deepEqual(
    circles.filter(({ node }) => node === null).map(({ id, urls }) => [id, urls]),
    [
      ['a.test', 110],
      ['a.test/docs', 50],
    ],
  )
  assert.ok(isInside(at['a.test/docs/x'], at['a.test/docs']) && isInside(at['a.test/docs'], at['a.test']))
  const leaves = circles.filter(({ node }) => node !== null)
  for (const [i, a] of leaves.entries()) {
    for (const b of leaves.slice(i + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > a.r + b.r, `${a.id} ${b.id}`)
  }
})

test('opening a group moves nothing outside it', () => {
  const before = named(packCircles(SITE, 100))
  const opened = SITE.filter(({ id }) => id !== 'a.test/blog').concat(
    group('a.test/blog/1', 40),
    group('a.test/blog/', 20),
  )
  const after = named(packCircles(opened, 100))
  for (const id of ['a.test', 'a.test/docs', 'a.test/docs/x', 'b.test', 'a.test/blog']) {
    const [a, b] = [before[id], after[id]]
    assert.deepEqual(
      [a?.x, a?.y, a?.r].map((n) => n?.toFixed(6)),
      [b?.x, b?.y, b?.r].map((n) => n?.toFixed(6)),
      id,
    )
  }
  assert.equal(after['a.test/blog']?.node, null)
  assert.equal(after['a.test/blog/']?.name, '(this folder)')
})

test('a single host is not drawn around everything, and a chain of folders is one', () => {
  const circles = packCircles([group('a.test/x/y/1', 5), group('a.test/x/y/2', 4), group('a.test/z', 1)], 100)
  assert.deepEqual(circles.map(({ name }) => name).sort(), ['1', '2', 'x/y', 'z'])
})

test('URLs are in their folder, also if one has the name of a folder', () => {
  const urls = [makeNode('1', { label: 'http://a.test/x/p?q=1/2' }), makeNode('2', { label: 'http://a.test/x/' })]
  const circles = packCircles([...urls, group('a.test/y', 3)], 100)
  assert.deepEqual(circles.map(({ id, name }) => `${id} ${name}`).sort(), [
    '1 p?q=1/2',
    '2 (this folder)',
    'a.test/x x',
    'a.test/y y',
  ])
})
