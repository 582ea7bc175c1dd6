import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestWord } from './closest-word.ts'
import { cpuMs } from './testing/cpu-time.ts'

const FLAGS = ['depth', 'delay', 'data', 'max-pages', 'max-rate', 'per-host', 'json']

test('a typo finds the intended word', () => {
  const typos = {
    depht: 'depth',
    dpeth: 'depth',
    dept: 'depth',
    'max-page': 'max-pages',
    maxpages: 'max-pages',
    jsno: 'json',
    depth: 'depth',
  }
  for (const [typed, meant] of Object.entries(typos)) assert.equal(closestWord(typed, FLAGS), meant, typed)
})

test('a very long text matches no word and is not compared with any', () => {
  const took = cpuMs(() => {
    assert.equal(closestWord('x'.repeat(5_000_000), FLAGS), null)
  })
  assert.ok(took < 1000, `${took} ms`)
})

test('a word that is similar to none finds nothing', () => {
  for (const typed of ['', 'x', 'colour', 'no-such-thing']) assert.equal(closestWord(typed, FLAGS), null, typed)
})
