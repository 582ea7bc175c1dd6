import assert from 'node:assert/strict'
import { it } from 'node:test'
import { seededRandom } from '../lib/seeded-random.ts'
import { similarity, sketchText } from './text-sketch.ts'

it('the estimate is near the share of equal runs of words', () => {
  const random = seededRandom(5).next
  for (let round = 0; round < 20; round++) {
    const words = Array.from({ length: 1000 }, () => `w${Math.floor(random() * 1e6).toString(36)}x`)
    const kept = Math.floor(random() * 1000)
    const others = words.map((word, i) => (i < kept ? word : `${word}y`))
    const expected = kept / (2000 - kept)
    const estimate = similarity(sketchText(words.join(' ')), sketchText(others.join(' ')))
    assert.ok(Math.abs(estimate - expected) < 0.12, `${estimate} instead of ${expected}`)
  }
})

it('punctuation, case and numbers make no difference; empty texts share nothing', () => {
  assert.equal(similarity(sketchText('The price is 12, today.'), sketchText('the PRICE is 99 today')), 1)
  assert.equal(similarity(sketchText(''), sketchText('')), 0)
})
