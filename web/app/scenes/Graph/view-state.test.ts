import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBreadcrumbs } from '../../graph/breadcrumbs.ts'
import { readViewState, writeViewState } from './view-state.ts'

test('an empty address means the defaults, and the defaults need no address', () => {
  const place = readViewState(new URLSearchParams())
  assert.equal(place.everyS, 3)
  assert.equal(place.colour, 'state')
  assert.equal(writeViewState(place).toString(), '')
})

test('what is written is read back', () => {
  const place = {
    view: 'tree',
    group: 'path',
    colour: 'host',
    edges: 'links',
    limit: 50_000,
    everyS: 10,
    around: 12,
    under: 'a.test/b c&d/',
    node: '7',
  } as const
  assert.deepEqual(readViewState(new URLSearchParams(writeViewState(place).toString())), place)
})

test('nonsense in an address is the default', () => {
  const place = readViewState(new URLSearchParams('colour=pink&limit=7&every=0&around=-3&group=x&view='))
  assert.deepEqual(place, readViewState(new URLSearchParams()))
})

test('the way into a group goes over its host and folders', () => {
  assert.deepEqual(toBreadcrumbs('a.test:81/docs/'), [
    { name: 'a.test:81', under: 'a.test:81' },
    { name: 'docs', under: 'a.test:81/docs' },
    { name: 'here', under: 'a.test:81/docs/' },
  ])
})
