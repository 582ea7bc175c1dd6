import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { correctSpelling, editDistance } from './spelling.ts'

describe('edit distance', () => {
  it('counts inserted, deleted, changed and swapped letters', () => {
    for (const [a, b, expected] of [
      ['garden', 'garden', 0],
      ['gardn', 'garden', 1],
      ['gardeen', 'garden', 1],
      ['gerden', 'garden', 1],
      ['gadren', 'garden', 1],
      ['agrdne', 'garden', 2],
      ['plum', 'garden', 3],
      ['', 'ab', 2],
    ] as const) {
      assert.equal(Math.min(3, editDistance(a, b, 2)), expected, `${a} ${b}`)
    }
  })
})

describe('a misspelt word', () => {
  const corpus: Record<string, number> = { garden: 50, gardener: 9, gander: 80, pardon: 7, apple: 5 }
  const index = {
    wordCounts: async (words: string[]) => words.map((word) => corpus[word] ?? 0),
    wordsFrom: async (prefix: string) =>
      Object.entries(corpus).flatMap(([key, count]) => (key.startsWith(prefix) ? [{ key, count }] : [])),
  }

  it('is corrected to the nearest word, and among equals to the most common', async () => {
    assert.deepEqual(await correctSpelling(['gardn'], index), new Map([['gardn', 'garden']]))
    assert.deepEqual(await correctSpelling(['agrden', 'apple'], index), new Map([['agrden', 'garden']]))
    assert.deepEqual(await correctSpelling(['gardenar'], index), new Map([['gardenar', 'gardener']]))
  })

  it('is left alone if it is known, short, or unlike any other', async () => {
    assert.equal(await correctSpelling(['garden', 'gar', 'zzzzzz'], index), null)
  })
})
