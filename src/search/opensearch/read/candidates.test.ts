import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dropCopies } from './candidates.ts'

it('of a document in two indices, the later page or the first copy stays', () => {
  const cards = [
    { url: 'http://a.test/', page: 3 },
    { url: 'http://b.test/', page: 4 },
    { url: 'http://a.test/', page: 5 },
    { url: 'http://b.test/', page: 4 },
  ]
  assert.deepEqual(dropCopies(cards), [cards[1], cards[2]])
})
