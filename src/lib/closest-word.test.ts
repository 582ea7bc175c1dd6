import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestWord } from './closest-word.ts'

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
  for (const [typed, meant] of Object.entries(slips)) assert.equal(closestWord(typed, FLAGS), meant, typed)
})

test('a text without end is like no word, and is not compared with any', () => {
  const begun = performance.now()
  assert.equal(closestWord('x'.repeat(5_000_000), FLAGS), null)
  assert.ok(performance.now() - begun < 1_000)
})

test('a word like none of them finds nothing', () => {
  for (const typed of ['', 'x', 'colour', 'no-such-thing']) assert.equal(closestWord(typed, FLAGS), null, typed)
})
