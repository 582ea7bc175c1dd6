import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBreadcrumbs } from '../../graph/breadcrumbs.ts'
import { readViewState, writeViewState } from './view-state.ts'

test('an empty query means the defaults, and the defaults are not written', () => {
  const viewState = readViewState(new URLSearchParams())
  assert.equal(viewState.everyS, 3)
  assert.equal(viewState.colour, 'state')
  assert.equal(writeViewState(viewState).toString(), '')
})

test('a view state survives writing and reading', () => {
  const viewState = {
    view: 'tree',
    group: 'path',
    colour: 'host',
    edges: 'links',
    limit: 50_000,
    everyS: 10,
    around: 12,
    under: 'a.test/b c&d/',
    node: '7',
    open: ['a.test/x', 'a.test/y/'],
    area: 'bytes',
    shade: 'time',
  } as const
  assert.deepEqual(readViewState(new URLSearchParams(writeViewState(viewState).toString())), viewState)
})

test('invalid values are replaced by the defaults', () => {
  const viewState = readViewState(
    new URLSearchParams('colour=pink&limit=7&area=x&shade=y&every=0&around=-3&group=x&view='),
  )
  assert.deepEqual(viewState, readViewState(new URLSearchParams()))
})

test('breadcrumbs lead through host and folders', () => {
  assert.deepEqual(toBreadcrumbs('a.test:81/docs/'), [
    { name: 'a.test:81', under: 'a.test:81' },
    { name: 'docs', under: 'a.test:81/docs' },
    { name: '/', under: 'a.test:81/docs/' },
  ])
})
