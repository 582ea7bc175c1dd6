import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_TEXT_WORDS, splitWords, WordSplitter } from './text-words.ts'

function wordsOf(text: string): string[] {
  const { count, starts, ends } = splitWords(text)
  return Array.from({ length: count }, (_, i) => text.slice(starts[i], ends[i]))
}

test('words end at punctuation, and every ideograph is a word', () => {
  assert.deepEqual(wordsOf("Don't stop: 3.5 km, naïve-ish"), ["Don't", 'stop', '3', '5', 'km', 'naïve', 'ish'])
  assert.deepEqual(wordsOf('日本 abc語x'), ['日', '本', 'abc', '語', 'x'])
  assert.deepEqual(wordsOf(' \n '), [])
  assert.deepEqual(wordsOf('end'), ['end'])
})

test('case makes no difference, digits do', () => {
  const hash = (text: string) => splitWords(text).hashes[0]
  assert.equal(hash('LAMP'), hash('lamp'))
  assert.notEqual(hash('iphone15'), hash('iphone16'))
})

test('words are in order, do not overlap and have text', () => {
  const splitter = new WordSplitter()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { count, starts, ends } = splitter.split(text)
      for (let i = 0; i < count; i++) {
        assert.ok((starts[i] ?? 0) < (ends[i] ?? 0))
        assert.ok(i === 0 || (ends[i - 1] ?? 0) <= (starts[i] ?? 0))
      }
    }),
  )
})

test('a very long text is cut', () => {
  assert.equal(splitWords('x '.repeat(MAX_TEXT_WORDS + 10)).count, MAX_TEXT_WORDS)
  assert.equal(splitWords('日'.repeat(MAX_TEXT_WORDS + 10)).count, MAX_TEXT_WORDS)
})
