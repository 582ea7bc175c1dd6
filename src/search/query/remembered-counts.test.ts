import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rememberCounts } from './remembered-counts.ts'

it('asks the index for each phrase once', async () => {
  const asked: string[][][] = []
  const vocabulary = rememberCounts({
    termsFrom: async () => [],
    async phraseCounts(phrases) {
      asked.push(phrases)
      return phrases.map((terms) => terms.join('').length)
    },
  })
  assert.deepEqual(await vocabulary.phraseCounts([['apple'], ['apple', 'pie']]), [5, 8])
  assert.deepEqual(await vocabulary.phraseCounts([['fig'], ['apple', 'pie'], ['fig']]), [3, 8, 3])
  assert.deepEqual(await vocabulary.phraseCounts([['apple']]), [5])
  assert.deepEqual(asked, [[['apple'], ['apple', 'pie']], [['fig']]])
})
