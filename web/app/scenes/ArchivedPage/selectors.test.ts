import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type PickedElement, readPick, selectorsFor } from './selectors.ts'

const element = (tag: string, changes: Partial<PickedElement> = {}): PickedElement => ({
  tag,
  id: '',
  classes: [],
  position: 1,
  ...changes,
})

it('selectors are short first, and positions last', () => {
  const path = [
    element('span', { classes: ['price'], position: 2 }),
    element('div', { id: 'offer' }),
    element('body'),
    element('html'),
  ]
  assert.deepEqual(selectorsFor(path), [
    '.price',
    'span.price',
    '#offer .price',
    '#offer span.price',
    '#offer span',
    '#offer > span:nth-of-type(2)',
  ])
  assert.deepEqual(selectorsFor([element('h1'), element('body'), element('html')]), ['h1', 'body > h1:nth-of-type(1)'])
  assert.deepEqual(selectorsFor([element('td', { position: 2 }), element('tr'), element('table')]), [
    'table td',
    'table:nth-of-type(1) > tr:nth-of-type(1) > td:nth-of-type(2)',
  ])
  assert.deepEqual(selectorsFor([]), [])
})

it('names that build tools or databases made are not used', () => {
  const names = ['css-1x2y3z', 'price_a1b2c', 'post-4711', 'sc-bdVaJa', 'a:b', '7up', 'price']
  assert.deepEqual(selectorsFor([element('p', { id: 'post-4711', classes: names })]), [
    '.price',
    'p.price',
    'p:nth-of-type(1)',
  ])
  const many = Array.from({ length: 99 }, (_, i) => element('i', { classes: ['x', 'y', `n${i}`] }))
  assert.equal(selectorsFor(many).length, 100)
})

it('only messages of the picker are read', () => {
  const path = [element('p')]
  assert.deepEqual(readPick({ kind: 'orbweaver-pick', path, text: 'a' }), { path, text: 'a' })
  for (const data of [null, 'x', {}, { kind: 'orbweaver-pick', path: [{}], text: '' }, { kind: 'x', path, text: '' }])
    assert.equal(readPick(data), null)
})
