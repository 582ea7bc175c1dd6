import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

const FLAGS = ['depth', 'delay', 'data', 'max-pages', 'max-rate', 'per-host', 'json']

test('a slip of the finger finds the word that was meant', () => {
  const slips = {
    depht: 'depth',
    dpeth: 'depth',
    dept: 'depth',
    'max-page': 'max-pages',
    maxpages: 'max-pages',
    jsno: 'json',
    depth: 'depth',
  }
  for (const [typed, meant] of Object.entries(slips)) assert.equal(nearest(typed, FLAGS), meant, typed)
})

test('a word like none of them finds nothing', () => {
  for (const typed of ['', 'x', 'colour', 'no-such-thing']) assert.equal(nearest(typed, FLAGS), null, typed)
})
