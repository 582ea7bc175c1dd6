import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { copyCodes } from '../../engine/parse/utf16-codes.ts'
import { WordTable } from './word-table.ts'

const numberIn = (table: WordTable, word: string) => table.idOf(copyCodes(word), word.length)

describe('a word table', () => {
  it('always gives a word the same number, and the word for a number', () => {
    const table = new WordTable(10_000)
    const words = Array.from({ length: 10_000 }, (_, i) => `${'long'.repeat(i % 10)}${i}`)
    const numbers = words.map((word) => numberIn(table, word))
    assert.deepEqual(
      words.map((word) => numberIn(table, word)),
      numbers,
    )
    assert.deepEqual(
      numbers.map((number) => table.wordOf(number)),
      words,
    )
    assert.equal(numberIn(table, 'onemore'), -1)
  })

  it('distinguishes a word from its prefix', () => {
    const table = new WordTable(16)
    const numbers = ['apple', 'app', 'apples', 'a'].map((word) => numberIn(table, word))
    assert.equal(new Set(numbers).size, 4)
  })

  it('hashes a word like any other table, whatever it has seen before', () => {
    const [one, other] = [new WordTable(16), new WordTable(500)]
    for (const word of ['pear', 'plum']) numberIn(other, word)
    assert.equal(one.hashOf(numberIn(one, 'apple')), other.hashOf(numberIn(other, 'apple')))
  })
})
