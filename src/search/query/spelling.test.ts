import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { edgeEdits } from './edge-edits.ts'
import { editDistance } from './spelling.ts'

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

describe('edits of the first letters', () => {
  it('include a wrong, missing, added or swapped letter, and no edit further on', () => {
    const edits = new Set(edgeEdits('garden'))
    for (const word of ['arden', 'agrden', 'harden', 'grden', 'grarden', 'gawden']) assert.ok(edits.has(word), word)
    for (const word of ['garden', 'gardon', 'gardn']) assert.ok(!edits.has(word), word)
    assert.ok(edgeEdits('блоко').includes('яблоко'))
    assert.ok(edgeEdits('ภาษา').includes('าภษา'))
  })
})
